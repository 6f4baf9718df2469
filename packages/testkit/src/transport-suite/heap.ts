import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * What the process still holds after a full collection: heap and buffers.
 *
 * @returns bytes
 */
export function gcHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
