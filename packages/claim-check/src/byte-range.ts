/** The part of a body that a request asks for. */
export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

const SINGLE_RANGE = /^bytes=([0-9]*)-([0-9]*)$/i;

/**
 * Reads a `range` header as HTTP defines it.
 *
 * @returns the part; `"all"` when there is no range, or one that a server is to ignore (another unit, several parts,
 *   malformed); `"unsatisfiable"` when it lies outside of the body
 */
export function byteRange(header: string | null, size: number): ByteRange | "all" | "unsatisfiable" {
  const [, first = "", last = ""] = SINGLE_RANGE.exec(header ?? "") ?? [];
  if (first === "" && last === "") return "all";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, length };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "all";
  if (start >= size) return "unsatisfiable";
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return { start, length: end - start };
}
