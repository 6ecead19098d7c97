import type { InterfaceRows } from "./row.ts";

/** The rows of issue webhooks. */
export const issueWebhookRows: InterfaceRows = {
  base: "/_local",
  endpoints: [
    "POST /webhooks",
    "POST /webhooks/{id}/roll-secret",
    "GET /webhooks/{id}/deliveries",
    "POST /issues",
    "POST /issues/{id}/traces",
    "POST /agent-run-failures",
  ],
  rules: {
    "subscription: url is checked at creation and at delivery": [
      "webhooks: refuse addresses of metadata services and private networks, and allow loopback",
      "deliveries: check the address again when they are delivered",
    ],
    "subscription: default event types": [
      "webhooks: go only to subscriptions that list the type, which is issue.created when nothing is said",
    ],
    "subscription: custom headers, but not Content-Type": [
      "webhooks: sign the exact bytes, and send custom headers except for the content type",
    ],
    "subscription: the secret can be rolled, at once": [
      "deliveries: are signed with a rolled secret from the next attempt on",
    ],
    "event: issue.created": [
      "webhooks: send one issue.created and one issue.trace.added per trace, all with one request id",
    ],
    "event: issue.trace.added, with data.trace": [
      "webhooks: send issue.trace.added for a trace that is linked later, under a request id of its own",
    ],
    "event: issue.agent_run.failed": [
      "webhooks: send a failed detection run for a project, with what is unavailable left out",
    ],
    "event rule 1: only the types that are listed": [
      "webhooks: go only to subscriptions that list the type, which is issue.created when nothing is said",
    ],
    "event rule 2: severity at most the threshold": [
      "webhooks: deliver an issue only when its severity is at most the threshold",
    ],
    "event rule 3: retries are byte-identical, with the same id": [
      "deliveries: are retried with the same bytes and id, at doubling distances, four times in all",
      "deliveries: survive a kill: nothing acknowledged is lost or sent under another id",
    ],
    "batch rule: one request_id": [
      "webhooks: send one issue.created and one issue.trace.added per trace, all with one request id",
    ],
    "signature: HMAC-SHA256 of the raw bytes": [
      "webhooks: sign the exact bytes, and send custom headers except for the content type",
    ],
    "failure: transport errors, 408, 425, 429 and 5xx are retried": [
      "deliveries: are retried after ${status}",
      "deliveries: are retried when the receiver does not answer in time, or is not there",
    ],
    "failure: any other 4xx is permanent": ["deliveries: are not retried after ${status}"],
    "limit: 20 seconds per attempt": [
      "deliveries: are retried when the receiver does not answer in time, or is not there",
    ],
    "limit: four attempts with exponential backoff": [
      "deliveries: are retried with the same bytes and id, at doubling distances, four times in all",
    ],
    "limit: severity_threshold from 0 to 3": [
      "webhooks: answer wrong input with 422, unknown ids with 404, and nobody without the key",
    ],
  },
};
