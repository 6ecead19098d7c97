import { isObject } from "./json.ts";

const secretNames = new Set([
  "secrets",
  "credentials",
  "headers",
  "api_key",
  "authorization",
  "client_secret",
  "secret_access_key",
  "session_token",
  "signing_secret",
  "token",
]);

/** Whether a member of a request holds what must never be told again. */
export function isSecretName(name: unknown): boolean {
  return typeof name === "string" && secretNames.has(name.toLowerCase());
}

/** The value with everything masked that is held under the name of a secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) ? "***" : withoutSecrets(member),
    ]),
  );
}
