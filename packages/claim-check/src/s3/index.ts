export type { S3Client, S3Commands, S3GetInput, S3PutInput } from "./client.js";
export { type S3StoreOptions, s3Store } from "./s3-store.js";
