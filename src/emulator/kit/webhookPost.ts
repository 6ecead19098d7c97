import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressRules, checkedLookup, checkUrl } from "./webhookAddress.ts";

/** What is posted, and which addresses it may go to. */
export interface WebhookPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly rules: AddressRules;
  readonly signal: AbortSignal;
}

/**
 * Posts to a URL that somebody gave us, and answers the status; the body of the answer is ignored, and a redirect is
 * not followed. Throws `ForbiddenAddressError`, what the network says, and the reason of the signal.
 */
export async function post(text: string, { headers, body, rules, signal }: WebhookPost): Promise<number> {
  const url = checkUrl(text, rules);
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  const sent = send(url, { method: "POST", headers, lookup: checkedLookup(rules), agent: false });
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const abort = () => reject(signal.reason instanceof Error ? signal.reason : new Error("Aborted"));
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      sent.once("response", resolve);
      // The answer may be followed by further errors of the connection; the first outcome counts.
      sent.on("error", reject);
      sent.end(body);
    });
    answer.on("error", () => undefined).destroy();
    return answer.statusCode ?? 0;
  } catch (error) {
    sent.destroy();
    throw error;
  }
}
