import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as sendRequest } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import S3rver from "s3rver";
import { isSigned } from "./signature.ts";

/** What a store refuses, as a real one would: the operation, the HTTP status and the error's code. */
export interface Refusal {
  readonly method: string;
  readonly status: number;
  readonly code: string;
}

/** A request that came in. */
export interface Visit {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  /** The session token, which tells sets of credentials apart. */
  readonly token: string;
  /** The part of an object that is wanted, as it is spelled: "" for all of it. */
  readonly range: string;
}

export const bucketName = "trace-exports";
/** The one key that the store knows. */
export const knownKey = { access_key_id: "S3RVER", secret_access_key: "hush-hush-0123456789" };

/**
 * A real S3-compatible server with a bucket, behind a door that writes down who comes and checks signatures.
 *
 * The door is also the one place where a test plays the store instead of asking it: `refusals`. The server knows
 * neither permissions nor regions, and those that do (LocalStack, MinIO, Ceph, Scality's) are containers and
 * binaries, not packages that `npm ci` brings to every machine. So a refused operation is answered by the door with
 * the status and the code that S3 documents for it. What is written, read, listed and deleted, unknown buckets and
 * unknown keys are the server's own.
 */
export class ObjectStore {
  readonly #server: Server;
  readonly #inner: S3rver;
  readonly #directory: string;
  readonly #innerPort: number;
  readonly #client: S3Client;
  refusals: readonly Refusal[] = [];
  /** Answers wait for this. */
  held: Promise<void> = Promise.resolve();
  readonly seen: Visit[] = [];

  private constructor(server: Server, inner: S3rver, directory: string, innerPort: number) {
    this.#server = server;
    this.#inner = inner;
    this.#directory = directory;
    this.#innerPort = innerPort;
    this.#client = new S3Client({
      region: "us-east-1",
      endpoint: `http://127.0.0.1:${innerPort}`,
      forcePathStyle: true,
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    });
    server.on("request", (request, response) => void this.#pass(request, response));
  }

  static async start(): Promise<ObjectStore> {
    const directory = await mkdtemp(join(tmpdir(), "object-store-"));
    const inner = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory,
      vhostBuckets: false,
      configureBuckets: [{ name: bucketName }],
    });
    const { port } = await inner.run();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ObjectStore(server, inner, directory, port);
  }

  async stop(): Promise<void> {
    this.#client.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.#inner.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Refuses nothing, holds nothing up and has seen nobody, as at its start. */
  calm(): void {
    this.refusals = [];
    this.held = Promise.resolve();
    this.seen.length = 0;
  }

  /** The keys of all objects in the bucket. */
  async keys(): Promise<string[]> {
    const listed = await this.#client.send(new ListObjectsV2Command({ Bucket: bucketName }));
    return (listed.Contents ?? []).map(({ Key }) => Key ?? "").sort();
  }

  async read(key: string): Promise<Uint8Array> {
    const { Body } = await this.#client.send(new GetObjectCommand({ Bucket: bucketName, Key: key }));
    if (Body === undefined) throw new Error(`${key} is empty.`);
    return await Body.transformToByteArray();
  }

  async write(key: string, body: Uint8Array): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body }));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const token = String(headers["x-amz-security-token"] ?? "");
    this.seen.push({ method, url, host: headers.host ?? "", token, range: headers.range ?? "" });
    await this.held;
    // Who was held up may have gone: the server would wait for the rest of the body.
    if (request.socket.destroyed) return;
    const known = (headers.authorization ?? "").includes(`Credential=${knownKey.access_key_id}/`);
    const forged = known && !isSigned(request, knownKey.secret_access_key);
    const refusal = forged
      ? { status: 403, code: "SignatureDoesNotMatch" }
      : this.refusals.find((candidate) => candidate.method === method);
    if (refusal !== undefined) {
      request.resume();
      response.writeHead(refusal.status, { "content-type": "application/xml" });
      const { code } = refusal;
      response.end(
        method === "HEAD"
          ? undefined
          : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`,
      );
      return;
    }
    const onward = sendRequest(
      { host: "127.0.0.1", port: this.#innerPort, method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    request.on("error", () => onward.destroy());
    request.pipe(onward);
  }
}
