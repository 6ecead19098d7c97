/** Feedback by pre-signed URL (docs/interface.md, "Feedback submission"); the URL authorizes the call, nothing else does. */

import type { JsonObject } from "./wire.ts";
import { ApiError } from "../errors.ts";
import { Http, type HttpOptions } from "../http.ts";

/** What is said about a run; every field may be left out. */
export interface FeedbackSubmission {
  readonly score?: number | undefined;
  readonly value?: number | undefined;
  readonly comment?: string | undefined;
  readonly correction?: JsonObject | undefined;
  /** Only by POST. */
  readonly metadata?: JsonObject | undefined;
}

/** How feedback is sent; POST by default. */
export interface FeedbackOptions extends Pick<HttpOptions, "admit" | "dispatcher" | "onExchange"> {
  readonly signal?: AbortSignal | undefined;
  readonly method?: "POST" | "GET" | undefined;
}

/** Sends feedback to a run's pre-signed URL, once. Throws an ApiError whose URL is masked, "invalid" for an unusable one. */
export async function submitFeedback(
  url: string,
  feedback: FeedbackSubmission,
  options: FeedbackOptions = {},
): Promise<void> {
  const { signal, method = "POST", ...network } = options;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new ApiError("invalid", { method, url: "", detail: "the server gave no usable feedback URL" });
  }
  const { origin, pathname, searchParams } = new URL(url);
  if (method === "GET" && feedback.metadata !== undefined) {
    throw new ApiError("invalid", { method, url, detail: "feedback metadata can only be sent with POST" });
  }
  const { correction, metadata, ...plain } = feedback;
  const http = new Http({ baseUrl: origin, ...network });
  const request = { path: pathname, signal, idempotent: false, reads: false };
  const presigned = Object.fromEntries(searchParams);
  if (method === "POST") {
    await http.reply({ ...request, method, query: presigned, body: { ...plain, correction, metadata } });
  } else {
    const query = { ...presigned, ...plain, correction: correction && JSON.stringify(correction) };
    await http.reply({ ...request, method, query });
  }
}
