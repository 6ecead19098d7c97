/** What a command was started on, as ids. */

/** The connection that a row, a row under a key or another caller names; undefined from the palette. */
export function connectionOf(argument: unknown): { readonly connectionId: string } | undefined {
  if (Array.isArray(argument)) return connectionOf(argument[0]);
  if (typeof argument !== "object" || argument === null) return undefined;
  if (!("connectionId" in argument)) return "ref" in argument ? connectionOf(argument.ref) : undefined;
  const { connectionId } = argument;
  return typeof connectionId === "string" ? { connectionId } : undefined;
}
