/** Credentials in the user's own environment and credentials file; read when they are asked for, never kept. */

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Credentials } from "../../api/bulkExports/wire.ts";

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials that were found, under the name of their profile. */
export interface AwsProfile {
  readonly name: string;
  readonly credentials: Credentials;
}

/** Where the profiles are: `AWS_SHARED_CREDENTIALS_FILE`, else `~/.aws/credentials`. */
export function credentialsFile(environment: Environment, home: string = homedir()): string {
  const named = environment["AWS_SHARED_CREDENTIALS_FILE"] ?? "";
  return named === "" ? join(home, ".aws", "credentials") : named.replace(/^~(?=[/\\])/, home);
}

/** The profiles that have keys; none when there is no such file. Throws when it can't be read. */
export async function readProfiles(file: string): Promise<readonly AwsProfile[]> {
  try {
    return parseProfiles(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** The usual variables of the environment; undefined unless both keys are set. */
export function environmentCredentials(environment: Environment): Credentials | undefined {
  return credentialsOf({
    aws_access_key_id: environment["AWS_ACCESS_KEY_ID"],
    aws_secret_access_key: environment["AWS_SECRET_ACCESS_KEY"],
    aws_session_token: environment["AWS_SESSION_TOKEN"],
  });
}

/** Reads the file's sections; profiles without keys, such as those of single sign-on, are left out. */
export function parseProfiles(text: string): readonly AwsProfile[] {
  const sections = new Map<string, Record<string, string>>();
  let section: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line)?.[1];
    if (head !== undefined) {
      section = sections.get(head) ?? {};
      sections.set(head, section);
    } else if (section !== undefined && !/^\s*[#;]/.test(line)) {
      const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) section[name.toLowerCase()] = value;
    }
  }
  return [...sections].flatMap(([name, values]) => {
    const credentials = credentialsOf(values);
    return credentials === undefined ? [] : [{ name, credentials }];
  });
}

function credentialsOf(values: Environment): Credentials | undefined {
  const id = values["aws_access_key_id"] ?? "";
  const secret = values["aws_secret_access_key"] ?? "";
  const token = values["aws_session_token"] ?? "";
  if (id === "" || secret === "") return undefined;
  return { access_key_id: id, secret_access_key: secret, ...(token === "" ? {} : { session_token: token }) };
}
