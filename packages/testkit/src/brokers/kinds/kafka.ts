import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../checks/workspace.js";
import { cached } from "../cache.js";
import { debianProgram } from "../debian-package.js";
import { exchange } from "../exchange.js";
import { findProgram } from "../find-program.js";
import type { BrokerKind } from "../kind.js";
import { runTool } from "../run-tool.js";
import type { WaitOptions } from "../types.js";

const POM = join(ROOT, "packages", "testkit", "brokers", "kafka", "pom.xml");
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";
/** What Kafka 4's server needs. */
const JAVA = 17;
/** One node of a test starts sooner, and takes less, without the second compiler and the parallel collector. */
const JVM = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"];

/** One node of Apache Kafka in KRaft mode, from Maven's jars. */
export const kafka: BrokerKind = {
  name: "kafka",
  variable: "SINKWIRE_KAFKA_URL",
  durable: true,
  ports: 2,
  async install(options) {
    const { run, command, version } = await kafkaTools(options);
    return {
      version: `Apache Kafka ${version}`,
      async prepare(place, wait) {
        const file = join(place.folder, "server.properties");
        writeFileSync(file, properties(place.folder, place.ports));
        const id = randomBytes(16).toString("base64url");
        await run("kafka.tools.StorageTool", ["format", "--cluster-id", id, "--config", file], wait);
      },
      launch: ({ folder, ports: [port] }) => ({
        command: command("kafka.Kafka", [join(folder, "server.properties")], "-Xmx512m"),
        url: `127.0.0.1:${port}`,
      }),
    };
  },
  probe(url, options) {
    const [first = ""] = url.split(",");
    return exchange(
      first,
      API_VERSIONS,
      (bytes) => {
        if (bytes.length < 10) return null;
        if (bytes.readInt16BE(8) !== 0) throw new Error("Kafka is not ready");
        return "Apache Kafka";
      },
      options,
    );
  },
};

/** An `ApiVersions` request, version 0: length, key, version, correlation id, no client id. */
const API_VERSIONS = Buffer.from([0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, 0xff, 0xff]);

/** The server's jars, and how their classes are run. */
export interface KafkaTools {
  readonly version: string;
  /** The command that runs a class of the server's. */
  command(type: string, args: readonly string[], heap: string): [string, ...string[]];
  /** Runs a class of the server's to its end, and returns what it printed. */
  run(type: string, args: readonly string[], options: WaitOptions): Promise<string>;
}

/**
 * Finds or gets Kafka's jars and a Java that runs them.
 *
 * @throws Error when one of them cannot be had
 */
export async function kafkaTools(options: WaitOptions): Promise<KafkaTools> {
  const version = /<kafka.version>([^<]+)</.exec(readFileSync(POM, "utf8"))?.[1] ?? "";
  const java = await debianProgram(["java"], [`openjdk-${JAVA}-jre-headless`], options);
  const found = Number(/version "(\d+)/.exec(await runTool(java, ["-version"], options))?.[1]);
  if (!(found >= JAVA)) throw new Error(`Java is of version ${found}, and Kafka takes ${JAVA} or later`);
  const jars = await cached(`kafka-${version}`, async (folder) => {
    const mvn = findProgram("mvn") ?? (await debianProgram(["mvn"], ["maven"], options));
    const args = ["-B", "-q", "-f", POM, COPY, `-DoutputDirectory=${folder}`, "-DincludeScope=runtime"];
    await runTool(mvn, args, options);
  });
  const command: KafkaTools["command"] = (type, args, heap) => [
    ...([java, heap, ...JVM, "-cp", join(jars, "*"), type] as const),
    ...args,
  ];
  return {
    version,
    command,
    run: (type, args, wait) => {
      const [program, ...rest] = command(type, args, "-Xmx128m");
      return runTool(program, rest, wait);
    },
  };
}

function properties(folder: string, [port, controller]: readonly number[]): string {
  const single = (prefix: string, replicas: string): string[] => [
    `${prefix}.num.partitions=1`,
    `${prefix}.${replicas}=1`,
    ...(prefix === "offsets.topic" ? [] : [`${prefix}.min.isr=1`]),
  ];
  return [
    "process.roles=broker,controller",
    "node.id=1",
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    "controller.listener.names=CONTROLLER",
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    `log.dirs=${join(folder, "log")}`,
    "auto.create.topics.enable=false",
    "group.initial.rebalance.delay.ms=0",
    ...single("offsets.topic", "replication.factor"),
    ...single("transaction.state.log", "replication.factor"),
    ...single("share.coordinator.state.topic", "replication.factor"),
    "",
  ].join("\n");
}
