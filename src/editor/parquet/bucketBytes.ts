/**
 * The bytes of an object in a bucket, range by range, with the credentials of the person's own profile or environment, or
 * with those that a person gave.
 */

import { GetObjectCommand, HeadObjectCommand, S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import type { Credentials } from "../../api/bulkExports/destinations.ts";
import type { ByteSource } from "../../table/bounds.ts";
import { ParquetError } from "../../table/parquetError.ts";
import { type BucketAnswer, type BucketRequest, requestHandler } from "./bucketRequests.ts";
import type { BucketObject } from "./readerMessages.ts";

/** Asks for the size; throws ParquetError, as every range does. Nothing is kept of what was read or sent. */
export async function bucketBytes(
  object: BucketObject,
  send: (request: BucketRequest) => Promise<BucketAnswer>,
): Promise<ByteSource> {
  const { bucket, key, endpoint, endpointIsBucket, forcePathStyle, profile, keys, region } = object;
  const client = new S3Client({
    region: region ?? "us-east-1",
    maxAttempts: 3,
    // Stores other than AWS do not all know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    forcePathStyle,
    requestHandler: requestHandler(send),
    ...(keys !== undefined ? { credentials: credentialsOf(keys) } : profile !== undefined && { profile }),
    ...(endpointIsBucket ? { bucketEndpoint: true } : endpoint !== undefined && { endpoint }),
  });
  const target = { Bucket: endpointIsBucket ? endpoint : bucket, Key: key };
  const head = await client
    .send(new HeadObjectCommand(target))
    .catch((error: unknown) => fail(error, object));
  const { ContentLength: size, ETag: etag } = head;
  if (size === undefined)
    throw new ParquetError("The store does not say how large the file is.", checkBucket);
  return {
    byteLength: size,
    slice: async (start, end = size) => {
      // Both ends of a range are part of it.
      const range = { Range: `bytes=${String(start)}-${String(end - 1)}`, IfMatch: etag };
      const { Body, ETag: now } = await client
        .send(new GetObjectCommand({ ...target, ...range }))
        .catch((error: unknown) => fail(error, object));
      // Not every store heeds the condition.
      if (now !== etag) throw writtenAnew();
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      if (bytes.length !== end - start)
        throw new ParquetError(
          "The store gave another range of the file than it was asked for.",
          checkBucket,
        );
      return bytes.slice().buffer;
    },
  };
}

const checkBucket = "Check the destination's address and that the file is still there.";

function credentialsOf(keys: Credentials): NonNullable<S3ClientConfig["credentials"]> {
  const {
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    session_token: sessionToken,
  } = keys;
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
}

function fail(error: unknown, { bucket, profile, keys }: BucketObject): never {
  const {
    name = "",
    message = "",
    $metadata,
  } = Object(error) as {
    readonly name?: string;
    readonly message?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const usual = profile === undefined ? "your AWS profile or environment" : `your AWS profile “${profile}”`;
  const own = keys === undefined ? usual : "the keys that you gave";
  const refused = { reason: "refused" } as const;
  const status = $metadata?.httpStatusCode;
  if (name === "CredentialsProviderError" || /credential/i.test(name))
    throw new ParquetError(
      `There are no credentials in ${own}.`,
      "Sign in with the AWS command line, choose another profile in the settings, or use other keys.",
      refused,
    );
  if (/Expired/.test(name))
    throw new ParquetError(
      `The credentials of ${own} have expired.`,
      "Sign in again, or use other keys.",
      refused,
    );
  if (status === 412 || status === 416) throw writtenAnew();
  if (status === 404 || /NoSuch|NotFound/.test(name))
    throw new ParquetError(`The file is not in the bucket “${bucket}” any more.`, checkBucket);
  if (status === 401 || status === 403)
    throw new ParquetError(
      `The bucket “${bucket}” does not let ${own} read the file.`,
      "Ask for permission to read it, choose another profile in the settings, or use other keys.",
      refused,
    );
  throw new ParquetError(
    `The bucket “${bucket}” can't be read: ${message === "" ? name : message}.`,
    checkBucket,
  );
}

function writtenAnew(): ParquetError {
  return new ParquetError("The file was written anew meanwhile.", "Open it again.");
}
