/**
 * The partition of a key: murmur2 of its bytes, as Kafka's own clients have it, so that a key stays in one partition
 * whichever of them writes it. `@platformatic/kafka` by itself takes another one for half of all keys.
 *
 * @param key - its bytes
 * @param count - partitions of the topic
 */
export function partitionOf(key: Uint8Array, count: number): number {
  return (murmur2(key) & 0x7fff_ffff) % count;
}

/** Seed, multiplier and shift of Kafka's `Utils.murmur2`. */
const SEED = 0x9747_b28c;
const M = 0x5bd1_e995;
const R = 24;

function murmur2(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let i = 0; i < whole; i += 4) {
    const mixed = Math.imul(view.getInt32(i, true), M);
    hash = Math.imul(hash, M) ^ Math.imul(mixed ^ (mixed >>> R), M);
  }
  if (whole < bytes.length) {
    for (let i = whole; i < bytes.length; i++) hash ^= (bytes[i] as number) << (8 * (i - whole));
    hash = Math.imul(hash, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
