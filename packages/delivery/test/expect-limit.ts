import type { Hook, PublishContext } from "@sinkwire/message";
import { expect } from "vitest";
import type { Mapped, MappingOptions } from "../src/adapter/index.js";

/**
 * Expects a mapping to let exactly so many bytes through when it is given no limit.
 *
 * @param maxBytes - the transport's default limit, by its own count
 * @param map - the mapping, its own options filled in
 */
export function expectLimit(
  maxBytes: number,
  map: (hook: Hook, context: PublishContext, options: MappingOptions) => Mapped,
): void {
  const body = new Uint8Array(Math.floor((maxBytes * 3) / 5));
  const mapped = (padding: number): Mapped =>
    map(
      { id: "evt_1", source_id: "orders", received_at: 0, body },
      { instance: "i".repeat(padding) },
      { inlineMaxBytes: body.length },
    );
  const room = maxBytes - mapped(0).size;
  expect(mapped(room)).toMatchObject({ form: "inline", size: maxBytes });
  expect(() => mapped(room + 1)).toThrow(expect.objectContaining({ code: "claim_required" }));
}
