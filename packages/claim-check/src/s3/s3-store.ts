import { InvalidHookError } from "@sinkwire/message";
import { MAX_TIMEOUT_MS, withDeadline } from "../deadline.js";
import { ClaimUnavailableError } from "../errors.js";
import { integerOption } from "../options.js";
import type { ClaimStore } from "../store.js";
import { checkPut, checkRead } from "../store-arguments.js";
import { readAnswer } from "./answer.js";
import type { S3Client, S3Commands } from "./client.js";
import { nameOf, statusOf, storeFailure } from "./failure.js";

const DEFAULT_TIMEOUT_MS = 30_000;
/** The last byte that can be asked for: servers read it as a signed 64-bit number, JavaScript as a double. */
const LAST_BYTE: number = Number.MAX_SAFE_INTEGER;

/** Options of {@link s3Store}. */
export interface S3StoreOptions {
  /** An `S3Client` of `@aws-sdk/client-s3`; it stays open. */
  readonly client: S3Client;
  /** The command classes of the same package: `{ GetObjectCommand, HeadBucketCommand, PutObjectCommand }`. */
  readonly commands: S3Commands;
  /** The bucket's name. It has to exist; none is made. */
  readonly bucket: string;
  /**
   * Whether `put` asks for no condition, for servers that know none (`NotImplemented`). Default false: what is there
   * already is never replaced.
   */
  readonly overwrite?: boolean | null | undefined;
  /** How long one call may take, the client's own retries included, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | null | undefined;
}

/**
 * A store in a bucket of S3, or of a server that speaks S3.
 *
 * A `put` is conditional (`if-none-match: *`): when its object is there already, as after an answer that was lost, it
 * succeeds for the same bytes and fails for others. A missing bucket is unavailable, and none of its claims is gone.
 *
 * @param options - client, its commands, bucket
 * @throws `InvalidHookError` with the option's name in wire spelling (`client`, `commands`, `bucket`, `overwrite`,
 *   `timeout_ms`)
 */
export function s3Store(options: S3StoreOptions): ClaimStore {
  const { client, commands, bucket: Bucket, overwrite, timeoutMs } = checked(options);

  function guarded<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withDeadline(timeoutMs, signal, async (inner) => {
      try {
        return await work(inner);
      } catch (error) {
        throw storeFailure(error);
      }
    });
  }

  async function get(Key: string, offset: number, length: number, signal: AbortSignal): Promise<Uint8Array | null> {
    const last = Math.min(offset + length - 1, LAST_BYTE);
    const command = new commands.GetObjectCommand({ Bucket, Key, Range: `bytes=${offset}-${last}` });
    try {
      return await readAnswer(await client.send(command, { abortSignal: signal }), offset, length, signal);
    } catch (error) {
      if (nameOf(error) === "NoSuchKey") return null;
      if (statusOf(error) === 416) return new Uint8Array();
      throw error;
    }
  }

  async function put(Key: string, Body: Uint8Array, signal: AbortSignal): Promise<void> {
    const condition = overwrite ? {} : { IfNoneMatch: "*" };
    const command = new commands.PutObjectCommand({ Bucket, Key, Body, ContentType: "application/zip", ...condition });
    try {
      await client.send(command, { abortSignal: signal });
    } catch (error) {
      if (statusOf(error) !== 412) throw error;
      // One byte more than there should be tells a longer object.
      const there = await get(Key, 0, Body.length + 1, signal);
      if (there === null || !isEqual(there, Body)) {
        throw new ClaimUnavailableError("the claim bucket holds something else under this key");
      }
    }
  }

  return {
    async put(key, bytes, { signal } = {}) {
      signal?.throwIfAborted();
      checkPut(key, bytes);
      await guarded(signal, (inner) => put(key, bytes, inner));
    },
    async read(key, offset, length, { signal } = {}) {
      signal?.throwIfAborted();
      checkRead(key, offset, length);
      return guarded(signal, (inner) => get(key, offset, length, inner));
    },
    async check({ signal } = {}) {
      await guarded(signal, (inner) => client.send(new commands.HeadBucketCommand({ Bucket }), { abortSignal: inner }));
    },
  };
}

function checked({ client, commands, bucket, overwrite, timeoutMs }: S3StoreOptions) {
  if (typeof client?.send !== "function") throw new InvalidHookError("client", "not an S3 client: it needs send");
  for (const name of ["PutObjectCommand", "GetObjectCommand", "HeadBucketCommand"] as const) {
    if (typeof commands?.[name] !== "function") throw new InvalidHookError("commands", `without ${name}`);
  }
  if (typeof bucket !== "string" || bucket === "") throw new InvalidHookError("bucket", "not the name of a bucket");
  if (overwrite !== undefined && overwrite !== null && typeof overwrite !== "boolean") {
    throw new InvalidHookError("overwrite", "neither true nor false");
  }
  return {
    ...{ client, commands, bucket, overwrite: overwrite === true },
    timeoutMs: integerOption("timeout_ms", timeoutMs, DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS),
  };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
