/** A JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A reference to a part of the same document. */
export interface Reference extends JsonObject {
  readonly $ref: string;
}

/** A broker, without anything secret. */
export interface ServerObject extends JsonObject {
  readonly host: string;
  readonly protocol: string;
}

/** An address and the messages that travel on it. */
export interface ChannelObject extends JsonObject {
  /** Null when it holds braces, which AsyncAPI would read as a parameter: then `x-sinkwire-address` holds it. */
  readonly address: string | null;
  readonly messages: { readonly [id: string]: Reference };
  readonly servers: readonly Reference[];
}

/** What the application does with a channel. */
export interface OperationObject extends JsonObject {
  readonly action: "send" | "receive";
  readonly channel: Reference;
  readonly messages: readonly Reference[];
}

/** A sink message, narrowed to the source and the tenant of a channel. */
export interface MessageObject extends JsonObject {
  readonly name: string;
  readonly contentType: "application/json";
  readonly payload: JsonObject;
}

/** An AsyncAPI 3.0 document: plain JSON, names in order of code units, the same for the same channels in any order. */
export interface AsyncApiDocument extends JsonObject {
  readonly asyncapi: "3.0.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly defaultContentType: "application/json";
  readonly servers: { readonly [id: string]: ServerObject };
  readonly channels: { readonly [id: string]: ChannelObject };
  readonly operations: { readonly [id: string]: OperationObject };
  readonly components: {
    readonly schemas: { readonly [name: string]: JsonObject };
    readonly messages: { readonly [id: string]: MessageObject };
  };
}
