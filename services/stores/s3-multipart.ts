import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** S3 takes at most this many parts, of at least 5 MiB each except for the last. */
export const MAXIMUM_PARTS = 10_000;

/**
 * Uploads pieces one after the other, and puts them together if the key is free: the condition is on Complete, the
 * only call that makes the object visible. Parts carry no checksums of their own, since Complete would then have to
 * repeat them, which servers handle differently. When anything fails the upload is aborted, so that no parts stay
 * behind, and the error of the SDK, or of the pieces, is thrown.
 */
export async function putPartsIfAbsent(
  client: S3Client,
  { Bucket, Key, ...headers }: { Bucket: string; Key: string; ContentType: string; CacheControl: string },
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const target = { Bucket, Key };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ ...target, ...headers }));
  const upload = { ...target, UploadId };
  try {
    const parts: CompletedPart[] = [];
    for await (const Body of pieces) {
      const PartNumber = parts.length + 1;
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
      parts.push({ PartNumber, ETag });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts }, IfNoneMatch: '*' }),
    );
  } catch (error) {
    // The first error is the one to report. What cannot be aborted is left to the bucket's lifecycle rule.
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {});
    throw error;
  }
}
