import { describe, expect, test, vi } from "vitest";
import { createAckQueue } from "../src/ack-queue.js";

const failure = (code: number | undefined, errorInfoMetadata?: Record<string, string>): Error =>
  Object.assign(new Error(`status ${code}`), { code, errorInfoMetadata });
const never = (): boolean => false;

describe("an ack queue", () => {
  test("sends what came meanwhile in one request, at most 1,000 ids", async () => {
    const sent: string[][] = [];
    let answer = (): void => {};
    const queue = createAckQueue((ids) => {
      sent.push(ids);
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    });
    const first = queue.add("a", never);
    await vi.waitFor(() => expect(sent).toEqual([["a"]]));
    const others = Array.from({ length: 1_500 }, (_, i) => queue.add(`${i}`, never));
    answer();
    await first;
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    answer();
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    answer();
    await Promise.all(others);
    expect(sent.map((ids) => ids.length)).toEqual([1, 1_000, 500]);
  });

  test.for([1, 2, 4, 8, 10, 13, 14])("sends again after status %i", async (code) => {
    const send = vi
      .fn<(ids: string[]) => Promise<unknown>>()
      .mockRejectedValueOnce(failure(code))
      .mockResolvedValue([]);
    await createAckQueue(send).add("a", never);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test.for([3, 5, 7, 9, undefined])("gives up after status %s", async (code) => {
    const error = failure(code);
    const send = vi.fn<(ids: string[]) => Promise<unknown>>().mockRejectedValue(error);
    await expect(createAckQueue(send).add("a", never)).rejects.toBe(error);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("gives up when it is over", async () => {
    const error = failure(14);
    await expect(createAckQueue(() => Promise.reject(error)).add("a", () => true)).rejects.toBe(error);
  });

  test("believes what an exactly-once subscription says of each id", async () => {
    const error = failure(9, { bad: "PERMANENT_FAILURE_INVALID_ACK_ID", again: "TRANSIENT_FAILURE_UNORDERED_ACK_ID" });
    const send = vi.fn<(ids: string[]) => Promise<unknown>>().mockRejectedValueOnce(error).mockResolvedValue([]);
    const queue = createAckQueue(send);
    const [bad, again] = [queue.add("bad", never), queue.add("again", never)];
    await expect(bad).rejects.toBe(error);
    await again;
    expect(send.mock.calls).toEqual([[["bad", "again"]], [["again"]]]);
  });
});
