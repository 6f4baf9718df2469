import { ClaimUnavailableError } from "../errors.js";
import { readBody } from "../read-body.js";

const CONTENT_RANGE = /^bytes ([0-9]{1,16})-[0-9]{1,16}\/([0-9]{1,16})$/;

/** What is used of an answer to `GetObjectCommand`. */
interface Answer {
  readonly Body?: { transformToWebStream?(): ReadableStream<Uint8Array> };
  /** `bytes <first>-<last>/<size of the object>` */
  readonly ContentRange?: unknown;
}

/**
 * Reads the part of an object that was asked for, at most `length` bytes, and makes sure that it is that part and all
 * of it: an answer that breaks off is not an object that ends.
 *
 * @throws {@link ClaimUnavailableError} when it is another part, or not all of it
 */
export async function readAnswer(
  answer: unknown,
  offset: number,
  length: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { Body, ContentRange } = (answer ?? {}) as Answer;
  if (typeof Body?.transformToWebStream !== "function")
    throw new ClaimUnavailableError("the claim bucket gave no body");
  const reader = Body.transformToWebStream().getReader();
  const close = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    const [, first, size] = CONTENT_RANGE.exec(String(ContentRange)) ?? [];
    if (first === undefined || Number(first) !== offset) {
      throw new ClaimUnavailableError("the claim bucket gave another range than it was asked for");
    }
    const { bytes } = await readBody(reader, length);
    signal.throwIfAborted();
    if (bytes.length !== Math.min(length, Number(size) - offset)) {
      throw new ClaimUnavailableError("the claim bucket's answer broke off");
    }
    return bytes;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}
