import { isObject } from "../kit/json.ts";
import type { Credentials } from "./destination.ts";

/** Why a bucket can't be written to (docs/interface.md, "Destination error causes"). */
export type BucketProblem =
  | "Access denied"
  | "Bucket is not valid"
  | "Key ID you provided does not exist"
  | "Invalid endpoint"
  | "InvalidBucketName";

/** A bucket can't be written to; the message begins with the problem's name and holds no secret. */
export class BucketError extends Error {
  override readonly name = "BucketError";
  readonly problem: BucketProblem;

  constructor(problem: BucketProblem, explanation: string) {
    super(`${problem}: ${explanation}`);
    this.problem = problem;
  }
}

/** Which problem a failed request to the store means. */
export function toBucketError(error: unknown, credentials: Credentials | undefined): BucketError {
  if (error instanceof BucketError) return error;
  const { name, message, code, status } = read(error);
  if (name === "CredentialsProviderError") {
    return new BucketError(
      "Access denied",
      "the destination has no credentials, and the environment of the Local Platform holds none either.",
    );
  }
  const said = redact(`${status ?? ""} ${code ?? name}: ${message}`.trim(), credentials).slice(0, 300);
  if (status === undefined) return new BucketError("Invalid endpoint", `${unreachable(message)} (${said})`);
  if (code === undefined) {
    const explanation = `endpoint_url does not answer like an S3-compatible store (${said}). Omit it for AWS.`;
    return new BucketError("Invalid endpoint", explanation);
  }
  const problem =
    problems[code] ?? (status === 403 || status === 401 ? "Access denied" : "Bucket is not valid");
  return new BucketError(problem, `${explanations[problem]} The store answered ${said}`);
}

const problems: Readonly<Record<string, BucketProblem>> = {
  AccessDenied: "Access denied",
  AccountProblem: "Access denied",
  ExpiredToken: "Access denied",
  InvalidToken: "Access denied",
  SignatureDoesNotMatch: "Access denied",
  InvalidAccessKeyId: "Key ID you provided does not exist",
  InvalidBucketName: "InvalidBucketName",
  NoSuchBucket: "Bucket is not valid",
  PermanentRedirect: "Bucket is not valid",
  AuthorizationHeaderMalformed: "Bucket is not valid",
  MethodNotAllowed: "Invalid endpoint",
  NotImplemented: "Invalid endpoint",
};

const explanations: Readonly<Record<BucketProblem, string>> = {
  "Access denied": "the credentials may not write to this bucket.",
  "Bucket is not valid": "the bucket does not exist in this region or can't be written to.",
  "Key ID you provided does not exist": "the store does not know this access_key_id.",
  "Invalid endpoint": "endpoint_url is not the address of an S3-compatible store; omit it for AWS.",
  InvalidBucketName:
    "the store does not find the bucket's name where it looks for it; " +
    "set config.config_kwargs_s3.addressing_style to virtual.",
};

function unreachable(message: string): string {
  return /timed? ?out|aborted/i.test(message)
    ? "the store did not answer in time."
    : "the store can't be reached.";
}

interface Failure {
  readonly name: string;
  readonly message: string;
  /** What the store called it, if it answered in its own form. */
  readonly code: string | undefined;
  readonly status: number | undefined;
}

function read(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
  const fields = isObject(error) ? error : {};
  const metadata = isObject(fields.$metadata) ? fields.$metadata : {};
  return {
    name,
    message,
    code: typeof fields.Code === "string" ? fields.Code : undefined,
    status: typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined,
  };
}

/** Whatever a store repeats of the credentials stays here. */
function redact(text: string, credentials: Credentials | undefined): string {
  return [credentials?.secret_access_key, credentials?.session_token, credentials?.access_key_id]
    .filter((secret) => secret !== undefined)
    .reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
}
