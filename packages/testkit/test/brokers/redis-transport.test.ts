import { redisOver } from "../../src/transport-suite/transports/redis.js";
import { describeTransport } from "./transport.js";

describeTransport(redisOver("ioredis"));
describeTransport(redisOver("node-redis"));
