/** Whether what arrived is a message of one of the types that a page knows; a page ignores all others. */
export function isKnownMessage<Message extends { readonly type: string }>(
  known: Readonly<Record<Message["type"], true>>,
  data: unknown,
): data is Message {
  return (
    typeof data === "object" &&
    data !== null &&
    "type" in data &&
    typeof data.type === "string" &&
    Object.hasOwn(known, data.type)
  );
}
