import * as z from "zod";
import type { EventHead } from "./protocolEvent.ts";

/** Which events of a thread a client wants; one connection is one subscription. */
export const subscriptionBody = z.strictObject({
  channels: z.array(z.string()),
  namespaces: z
    .array(z.array(z.string()))
    .nullish()
    .describe("Beginnings of namespaces; none, or an empty list, is everywhere."),
  depth: z.int().min(0).nullish().describe("How many levels below one of the namespaces."),
  since: z.int().min(0).nullish().describe("Only events with a higher sequence number."),
});

/** A checked subscription. */
export type Subscription = Readonly<z.output<typeof subscriptionBody>>;

/** Whether a client that subscribed so gets the event. */
export function wants(subscription: Subscription, { seq, channel, namespace }: EventHead): boolean {
  const { channels, namespaces, depth, since } = subscription;
  if (typeof since === "number" && seq <= since) return false;
  const named = channel.startsWith("custom:") && channels.includes("custom");
  if (!named && !channels.includes(channel)) return false;
  if (!namespaces || namespaces.length === 0) return true;
  return namespaces.some(
    (prefix) =>
      startsWith(namespace, prefix) &&
      (typeof depth !== "number" || namespace.length - prefix.length <= depth),
  );
}

/** A segment without a colon stands for every run of the step with that name. */
function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return (
    prefix.length <= namespace.length &&
    prefix.every((wanted, index) => {
      const segment = namespace[index] ?? "";
      return segment === wanted || (!wanted.includes(":") && segment.split(":", 1)[0] === wanted);
    })
  );
}
