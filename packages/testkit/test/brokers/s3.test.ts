import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { expect, it } from "vitest";
import { describeLife } from "./life.js";

const Bucket = "life";

async function using<T>(address: string, work: (client: S3Client) => Promise<T>): Promise<T> {
  const { origin, username, password } = new URL(address);
  const credentials = { accessKeyId: username, secretAccessKey: password };
  const client = new S3Client({ endpoint: origin, region: "us-east-1", forcePathStyle: true, credentials });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

const put = (client: S3Client, Key: string, Body: string): Promise<unknown> =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: "*" }));

describeLife("s3", {
  version: /^Versity S3 Gateway \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (client) => {
        await client.send(new CreateBucketCommand({ Bucket })).catch((error: Error) => {
          if (error.name !== "BucketAlreadyOwnedByYou") throw error;
        });
        await put(client, text, text);
      }),
    read: (url) =>
      using(url, async (client) => {
        const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }));
        const Key = Contents?.[0]?.Key;
        if (Key === undefined) throw new Error("no object");
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        const text = await Body?.transformToString();
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
        return text ?? "";
      }),
  },
  more(url) {
    it("writes an object once when asked to", () =>
      using(url(), async (client) => {
        await put(client, "once", "0123456789");
        await expect(put(client, "once", "other")).rejects.toMatchObject({ name: "PreconditionFailed" });
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: "once", Range: "bytes=2-4" }));
        expect(await Body?.transformToString()).toBe("234");
        await client.send(new DeleteObjectCommand({ Bucket, Key: "once" }));
      }));

    it("checks signatures", async () => {
      const wrong = new URL(url());
      wrong.password = "wrong";
      await expect(using(wrong.href, (client) => put(client, "any", "any"))).rejects.toMatchObject({
        name: "SignatureDoesNotMatch",
      });
    });
  },
});
