import { type HeaderValue, headerValue, keyVariable } from "../../../run/code/call.ts";
import { redact } from "../../../run/json/redact.ts";
import type { ApiKeys } from "../../connections/apiKeys.ts";
import type { Connections } from "../../connections/connections.ts";

interface HeaderServices {
  readonly connections: Pick<Connections, "resolve">;
  readonly apiKeys: Pick<ApiKeys, "read">;
}

/** The headers of a connection's requests to the address, for code that runs elsewhere: credentials are named, never told. */
export async function requestHeaders(
  { connections, apiKeys }: HeaderServices,
  connectionId: string,
  url: string,
): Promise<Readonly<Record<string, HeaderValue>>> {
  const connection = connections.resolve(connectionId);
  const { auth = "apiKey", workspaceId, headers = {} } = connection;
  const hasKey = (await apiKeys.read(connection, url)) !== undefined;
  const key: HeaderValue = [{ env: keyVariable }];
  const ours = {
    ...(hasKey && auth === "apiKey" && { "x-api-key": key }),
    ...(hasKey && auth === "bearer" && { authorization: [{ text: "Bearer " }, ...key] }),
    ...(workspaceId !== undefined && { "x-tenant-id": headerValue(workspaceId) }),
  };
  const extra = Object.entries(headers).filter(([name]) => !(name.toLowerCase() in ours));
  return { ...ours, ...Object.fromEntries(extra.map(([name, value]) => [name, named(name, value)])) };
}

/** A credential that stands in the settings as it is becomes a variable that is called like its header. */
function named(name: string, value: string): HeaderValue {
  const parts = headerValue(value);
  const text = JSON.stringify({ [name]: value });
  if (parts.some((part) => "env" in part) || redact(text) === text) return parts;
  return [{ env: name.toUpperCase().replace(/\W+/g, "_") }];
}
