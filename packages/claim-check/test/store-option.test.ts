import { describe, expect, test } from "vitest";
import {
  type ClaimCheckOptions,
  createClaimCheck,
  createGateway,
  type GatewayOptions,
  memoryStore,
} from "../src/index.js";

describe("the store option", () => {
  const { put, read } = memoryStore();
  test.each([
    undefined,
    null,
    {},
    { store: null },
    { store: "str" },
    { store: { put } },
    { store: { put, read, check: 1 } },
  ])("refuses %j", (options) => {
    const expected = expect.objectContaining({ code: "invalid_hook", field: "store", retryable: false });
    expect(() => createClaimCheck(options as unknown as ClaimCheckOptions)).toThrow(expected);
    expect(() => createGateway(options as unknown as GatewayOptions)).toThrow(expected);
  });

  test.each(["str", true, {}])("the gateway refuses to be authorized by %j", (authorize) => {
    const options = { store: memoryStore(), authorize } as unknown as GatewayOptions;
    expect(() => createGateway(options)).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "authorize", retryable: false }),
    );
  });
});
