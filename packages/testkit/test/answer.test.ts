import { describe, expect, it } from "vitest";
import { answer } from "../src/answer.js";

describe("answer", () => {
  it("says so when it does not know the operation, inherited names included", async () => {
    expect(await answer("no_such_operation", {})).toEqual({ unsupported: true });
    expect(await answer("toString", {})).toEqual({ unsupported: true });
  });

  it("does not hide an error that is not the product's", async () => {
    const got = await answer("read_metadata", { pairs: 7 });
    expect(got).toMatchObject({ error: { code: "internal", field: null, retryable: false } });
  });

  it("hands a body that is not base64 to the library, which refuses it by its wire name", async () => {
    for (const body_base64 of ["YQ", "Y Q=", "_w==", 7, null, { 0: 1 }]) {
      const got = await answer("plan_message", { hook: { id: "a", source_id: "s", received_at: 0, body_base64 } });
      expect(got).toMatchObject({ error: { code: "invalid_hook", field: "body_base64" } });
    }
  });

  it("expands strings that JSON cannot carry", async () => {
    const got = await answer("delivery_id", { id: { $utf16: [104, 105] } });
    expect(got).toEqual({ ok: { delivery_id: "hi" } });
  });
});
