import { randomUUID } from "node:crypto";
import type * as Sdk from "@aws-sdk/client-s3";
import { isObject } from "../kit/json.ts";
import { BucketError, toBucketError } from "./bucketError.ts";
import type { Credentials, DestinationConfig } from "./destination.ts";

const testTimeoutMs = 15_000;
const connectionTimeoutMs = 5_000;

/** The bucket of a destination, reached with one set of credentials. All failures are `BucketError`s. */
export class Bucket {
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.S3Client;
  readonly #config: DestinationConfig;
  readonly #credentials: Credentials | undefined;
  /** What requests name as the bucket: the endpoint itself when its host already names the bucket. */
  readonly #name: string;

  private constructor(sdk: typeof Sdk, config: DestinationConfig, credentials: Credentials | undefined) {
    this.#sdk = sdk;
    this.#config = config;
    this.#credentials = credentials;
    const endpoint = config.endpoint_url;
    const named = endpoint !== undefined && !config.include_bucket_in_prefix;
    this.#name = named ? endpoint : config.bucket_name;
    this.#client = new sdk.S3Client({
      region: config.region ?? "us-east-1",
      maxAttempts: 3,
      // Stores other than AWS do not all know the newer checksums.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      forcePathStyle: usesPath(config),
      requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: 60_000 },
      ...(named ? { bucketEndpoint: true } : {}),
      ...(endpoint === undefined || named ? {} : { endpoint }),
      ...(credentials === undefined ? {} : { credentials: toSdk(credentials) }),
    });
  }

  /** Without credentials the usual places of the environment are looked through, in their usual order. */
  static async open(config: DestinationConfig, credentials: Credentials | undefined): Promise<Bucket> {
    checkEndpoint(config.endpoint_url);
    return new Bucket(await import("@aws-sdk/client-s3"), config, credentials);
  }

  /** Writes a test file below the prefix's `tmp` and deletes it, where that is permitted. */
  async test(signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(testTimeoutMs)]);
    const key = objectKey(this.#config, `tmp/${randomUUID()}.txt`);
    await this.put(
      key,
      Buffer.from("This file shows that exports can be written here.\n"),
      "text/plain",
      limited,
    );
    const target = { Bucket: this.#name, Key: key };
    await this.#client
      .send(new this.#sdk.DeleteObjectCommand(target), { abortSignal: limited })
      .catch(() => undefined);
  }

  /** Writes an object and, where reading is permitted, sees that it has arrived whole. */
  async put(key: string, body: Uint8Array, type: string, signal: AbortSignal): Promise<void> {
    const target = { Bucket: this.#name, Key: key };
    const extra = this.#config.s3_additional_kwargs as Partial<Sdk.PutObjectCommandInput> | undefined;
    const put = new this.#sdk.PutObjectCommand({ ...extra, ...target, Body: body, ContentType: type });
    const sent = this.#client.send(put, { abortSignal: signal });
    const { ETag } = await this.#attempt(sent, signal);
    if (ETag === undefined) {
      throw new BucketError("Invalid endpoint", "what answers at endpoint_url is no S3-compatible store.");
    }
    const seen = await this.#size(target, signal);
    if (seen !== undefined && seen !== body.length) {
      const explanation = `${body.length} bytes were written, and the store has ${seen} of them.`;
      throw new BucketError("Bucket is not valid", explanation);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  /** The size of an object; undefined when it may not be read. */
  async #size(target: { Bucket: string; Key: string }, signal: AbortSignal): Promise<number | undefined> {
    try {
      const head = new this.#sdk.HeadObjectCommand(target);
      return (await this.#client.send(head, { abortSignal: signal })).ContentLength;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  /** Looking for credentials does not heed the signal by itself. */
  async #attempt<Result>(sent: Promise<Result>, signal: AbortSignal): Promise<Result> {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = () => reject(new Error("The request was aborted."));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await Promise.race([sent, stopped]);
    } catch (error) {
      throw toBucketError(error, this.#credentials);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

/** The key of an object below the destination's prefix. */
export function objectKey(config: DestinationConfig, path: string): string {
  return [...config.prefix.split("/").filter((segment) => segment !== ""), path].join("/");
}

/** Where an object is as people write it: with the bucket in front unless the endpoint names it. */
export function objectPath(config: DestinationConfig, key: string): string {
  return config.include_bucket_in_prefix ? `${config.bucket_name}/${key}` : key;
}

/** `auto` puts the bucket into the host for AWS, and into the path for a store with an address of its own. */
function usesPath(config: DestinationConfig): boolean {
  const style = isObject(config.config_kwargs_s3) ? config.config_kwargs_s3.addressing_style : undefined;
  if (style === "path" || style === "virtual") return style === "path";
  return config.endpoint_url !== undefined;
}

function checkEndpoint(endpoint: string | undefined): void {
  if (endpoint === undefined) return;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new BucketError("Invalid endpoint", "endpoint_url must begin with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const explanation = "endpoint_url must have no user, password, query or fragment.";
    throw new BucketError("Invalid endpoint", explanation);
  }
}

function toSdk(credentials: Credentials) {
  const { access_key_id, secret_access_key, session_token } = credentials;
  return {
    accessKeyId: access_key_id,
    secretAccessKey: secret_access_key,
    ...(session_token === undefined ? {} : { sessionToken: session_token }),
  };
}
