/** What is used of a client of `@aws-sdk/client-sqs`: an `SQSClient`, or an `SQS`. */
export interface SqsClient {
  /** @param command - an instance of one of the client's own classes */
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

/** What is used of a command. */
export interface SqsCommand {
  readonly middlewareStack: {
    /** @param middleware - as the client's own types have it; called once for each try of the client's */
    add(middleware: never, options: { readonly step: "deserialize"; readonly priority: "high" }): void;
  };
}

/** A message to be sent. */
export interface SqsSendInput {
  QueueUrl: string;
  MessageBody: string;
  MessageAttributes: Record<string, SqsCarriedAttribute>;
  MessageGroupId?: string;
  MessageDeduplicationId?: string;
}

/** An attribute of whatever type, as it was received. */
export interface SqsCarriedAttribute {
  DataType: string;
  StringValue?: string;
  BinaryValue?: Uint8Array;
}

/** The client's classes that a publisher makes commands with: `import * as commands from "@aws-sdk/client-sqs"`. */
export interface SqsPublishCommands {
  readonly SendMessageCommand: new (input: SqsSendInput) => SqsCommand;
}

/** The client's classes that a consumer makes commands with: `import * as commands from "@aws-sdk/client-sqs"`. */
export interface SqsConsumeCommands extends SqsPublishCommands {
  readonly ReceiveMessageCommand: new (input: SqsReceiveInput) => SqsCommand;
  readonly DeleteMessageBatchCommand: new (input: {
    QueueUrl: string;
    Entries: { Id: string; ReceiptHandle: string }[];
  }) => SqsCommand;
  readonly ChangeMessageVisibilityCommand: new (input: {
    QueueUrl: string;
    ReceiptHandle: string;
    VisibilityTimeout: number;
  }) => SqsCommand;
  readonly GetQueueAttributesCommand: new (input: {
    QueueUrl: string;
    AttributeNames: "RedrivePolicy"[];
  }) => SqsCommand;
}

/** What is asked for. */
export interface SqsReceiveInput {
  QueueUrl: string;
  MaxNumberOfMessages: number;
  WaitTimeSeconds: number;
  VisibilityTimeout: number;
  MessageAttributeNames: "All"[];
  MessageSystemAttributeNames: "All"[];
  ReceiveRequestAttemptId?: string;
}
