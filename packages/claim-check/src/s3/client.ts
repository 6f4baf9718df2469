/** What is used of an `S3Client` of `@aws-sdk/client-s3`. */
export interface S3Client {
  send(command: object, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

/** The command classes of `@aws-sdk/client-s3`, handed in so that this package need not import it. */
export interface S3Commands {
  readonly PutObjectCommand: new (input: S3PutInput) => object;
  readonly GetObjectCommand: new (input: S3GetInput) => object;
  readonly HeadBucketCommand: new (input: { Bucket: string }) => object;
}

/** What is asked of `PutObjectCommand`. */
export interface S3PutInput {
  Bucket: string;
  Key: string;
  Body: Uint8Array;
  ContentType: string;
  /** `*`: only when there is no such object. */
  IfNoneMatch?: string;
}

/** What is asked of `GetObjectCommand`. */
export interface S3GetInput {
  Bucket: string;
  Key: string;
  /** `bytes=<first>-<last>` */
  Range: string;
}
