import { expect } from "vitest";
import type { DeliveryRead } from "../src/index.js";

type Read = (record: never, options?: never) => DeliveryRead;

/** What proves a reader of a transport's records. */
export interface ReaderCase {
  /** A record that is a message. */
  readonly record: unknown;
  /** The name of the member that holds the body. */
  readonly body: string;
  /** What is no record of this transport, beside what is none of any. */
  readonly none?: readonly unknown[];
  /** Options of its own that cannot be used, by field. */
  readonly unusable?: readonly (readonly [field: string, options: object])[];
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Proves what every reader owes, whatever was delivered and whatever it was asked for. */
export function expectReader(from: Read, { record, body, none = [], unusable = [] }: ReaderCase): void {
  const read = from as (record: unknown, options?: unknown) => DeliveryRead;
  const cause = new Error("cannot be read");
  const throwing = (name: string): object =>
    Object.defineProperty({ ...(record as object) }, name, {
      enumerable: true,
      get: () => {
        throw cause;
      },
    });

  for (const options of [null, undefined, {}, { maxBytes: null, metadata: null }]) {
    expect(read(record, options)).toMatchObject({ kind: "message" });
  }
  expect(read({ ...(record as object), [body]: null }).kind).toBe("tombstone");
  expect(read({ ...(record as object), [body]: undefined }).kind).toBe("tombstone");

  const { [body]: _, ...without } = record as Record<string, unknown>;
  for (const nothing of [5, true, undefined, [], {}, new Date(0), () => {}, without, ...none]) {
    const invalid = read(nothing);
    expect(invalid, String(nothing)).toMatchObject({ kind: "invalid", error: { code: "invalid_json", field: null } });
    expect(invalid.kind === "invalid" && invalid.error.message).toContain(`has no "${body}"`);
  }

  expect(read(throwing(body))).toMatchObject({ kind: "invalid", error: { code: "invalid_json", cause } });
  const gone = read(revoked());
  expect(gone).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
  expect(gone.kind === "invalid" && gone.error.cause).toBeInstanceOf(TypeError);

  const options: readonly (readonly [string, unknown])[] = [
    ["options", 5],
    ["options", []],
    ["max_bytes", { maxBytes: -1 }],
    ["max_bytes", { maxBytes: "1" }],
    ["metadata", { metadata: "Verify" }],
    ["metadata", { metadata: true }],
    ...unusable,
  ];
  for (const given of [record, revoked()]) {
    for (const [field, option] of options) {
      expect(() => read(given, option), field).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
    }
  }
}

/** Metadata that throws as soon as it is looked at. */
export const unreadable = (): never => {
  throw new Error("unreadable");
};
