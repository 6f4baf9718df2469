import { kafkaTools } from "./kinds/kafka.js";
import type { Broker, WaitOptions } from "./types.js";

/** Where a group stands in a partition. */
export interface CommittedOffset {
  readonly topic: string;
  readonly partition: number;
  /** The offset of the next record to hand out; null when the group has committed none. */
  readonly committed: bigint | null;
  /** The offset of the next record to be written. */
  readonly end: bigint;
}

const TOOL = "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand";

/**
 * The offsets that a group has committed, as the server's own tool tells them.
 *
 * @param kafka - where the group is
 * @param group - its id; one that does not exist has committed nothing
 * @returns a row per partition, by topic and partition
 * @throws Error when the tool fails
 */
export async function committedOffsets(
  kafka: Pick<Broker, "url">,
  group: string,
  options: WaitOptions = {},
): Promise<CommittedOffset[]> {
  const { run } = await kafkaTools(options);
  const text = await run(TOOL, ["--bootstrap-server", kafka.url, "--describe", "--offsets", "--group", group], options);
  return parseOffsets(text);
}

/**
 * Reads the tool's table: a line of headings, then a line per partition, `-` for what is not there.
 *
 * @throws Error when the text has neither a table nor the word that there is no such group
 */
export function parseOffsets(text: string): CommittedOffset[] {
  const rows = text.split("\n").map((line) => line.trim().split(/\s+/));
  const head = rows.findIndex((words) => words[0] === "GROUP");
  if (head < 0) {
    if (text.includes("GroupIdNotFoundException")) return [];
    throw new Error(`the consumer-group tool said: ${text.trim()}`);
  }
  const headings = rows[head] ?? [];
  const column = (words: string[], heading: string): string => words[headings.indexOf(heading)] ?? "";
  return rows
    .slice(head + 1)
    .filter((words) => words.length >= headings.length)
    .map((words) => {
      const committed = column(words, "CURRENT-OFFSET");
      return {
        topic: column(words, "TOPIC"),
        partition: Number(column(words, "PARTITION")),
        committed: committed === "-" ? null : BigInt(committed),
        end: BigInt(column(words, "LOG-END-OFFSET")),
      };
    })
    .sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
}
