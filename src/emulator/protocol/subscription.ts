import type { EventHead } from "./protocolEvent.ts";

/** Which events of a thread a client wants. */
export interface Subscription {
  readonly channels: readonly string[];
  /** Beginnings of namespaces; none, or an empty list, is everywhere. */
  readonly namespaces?: readonly (readonly string[])[] | undefined;
  /** How many levels below one of the namespaces; it says nothing without them. */
  readonly depth?: number | undefined;
  /** Only events with a higher sequence number. */
  readonly since?: number | undefined;
}

/** Whether a client that subscribed so gets the event. */
export function wants(subscription: Subscription, { seq, channel, namespace }: EventHead): boolean {
  const { channels, namespaces, depth, since } = subscription;
  if (since !== undefined && seq <= since) return false;
  const named = channel.startsWith("custom:") && channels.includes("custom");
  if (!named && !channels.includes(channel)) return false;
  if (namespaces === undefined || namespaces.length === 0) return true;
  return namespaces.some(
    (prefix) =>
      startsWith(namespace, prefix) && (depth === undefined || namespace.length - prefix.length <= depth),
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
