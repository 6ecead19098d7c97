import type { Deployment } from "./wire.ts";

/** Where the agent server of a deployment is; undefined as long as it has no address. */
export function agentServerUrlOf({ url, source_config }: Deployment): string | undefined {
  const named = [url, source_config?.custom_url];
  return named.find((text): text is string => /^https?:$/.test(URL.parse(text ?? "")?.protocol ?? ""));
}
