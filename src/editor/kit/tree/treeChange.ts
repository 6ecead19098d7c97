/** What changed between two drawings of a tree, as the smallest nodes that need drawing again. */

/** One node as it was drawn: everything visible of it as text, and what hangs below it. */
export interface Drawing {
  readonly id: string;
  readonly snapshot: string;
  /** Undefined while the children were never asked for. */
  readonly children: readonly Drawing[] | undefined;
}

/** The ids to draw again; drawing a node again draws everything below it. */
export function changedNodes(before: Drawing, after: Drawing): readonly string[] {
  if (before.snapshot !== after.snapshot || !sameChildren(before, after)) return [after.id];
  const pairs = (after.children ?? []).map(
    (child, index) => [before.children?.[index] ?? child, child] as const,
  );
  const changes = pairs.map(([old, child]) => changedNodes(old, child));
  // A row that moves from one parent to another must leave and arrive in one step: its id can't be there twice.
  const moved = pairs.filter(([old, child]) => !sameChildren(old, child)).length > 1;
  return moved ? [after.id] : changes.flat();
}

function sameChildren(before: Drawing, after: Drawing): boolean {
  // Children that were not known before are known now because somebody asked, and gets them as the answer.
  if (before.children === undefined) return true;
  // Children that were forgotten are asked for again only by a row that is drawn again.
  if (after.children === undefined) return false;
  const [old, fresh] = [before.children, after.children];
  return old.length === fresh.length && fresh.every(({ id }, index) => id === old[index]?.id);
}
