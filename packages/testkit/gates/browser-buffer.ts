/** The two uses that the dispatch table makes of Node's Buffer, for a browser. The codec itself uses none there. */
export const Buffer = {
  from(value: string | Uint8Array, _encoding?: "base64"): Uint8Array & { toString(encoding: "base64"): string } {
    const bytes = typeof value === "string" ? decode(value) : value.slice();
    return Object.assign(bytes, { toString: () => encode(bytes) });
  },
};

/** As lenient as Node's: what is no base64 gives other bytes, never an error. */
function decode(text: string): Uint8Array {
  const digits = text.replaceAll(/[^A-Za-z0-9+/]/g, "");
  return Uint8Array.from(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits), (unit) => unit.charCodeAt(0));
}

function encode(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
