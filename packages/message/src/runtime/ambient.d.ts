// The few platform names that the core uses, so that it compiles with neither Node's nor the browser's types.
declare module "node:crypto" {
  /** One-shot digest, from Node 20.12 on. */
  export function hash(algorithm: "sha256", data: Uint8Array, encoding: "hex"): string;
}
declare module "node:buffer" {
  export class Buffer extends Uint8Array<ArrayBuffer> {
    static from(data: ArrayBufferLike, offset: number, length: number): Buffer;
    static from(text: string, encoding: "base64"): Buffer;
    static byteLength(text: string, encoding: "utf8"): number;
    override toString(encoding?: "utf8" | "base64"): string;
  }
  export function isUtf8(bytes: Uint8Array): boolean;
}
declare class TextDecoder {
  constructor(label: "utf-8", options: { fatal: true; ignoreBOM: true });
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare function atob(base64: string): string;
declare function btoa(binary: string): string;
/** V8's and others'; undefined where an engine does not have it. */
interface ErrorConstructor {
  stackTraceLimit?: number;
}
