/** Which managed agents the Agents view lists, and in which order. */

import type { AgentQuery } from "../../api/managedAgents/wire.ts";
import { dotted } from "../kit/words.ts";

/** A part of the name, and an order. */
export interface AgentListing {
  /** A part of the name. */
  readonly name?: string;
  readonly sort_by: NonNullable<AgentQuery["sort_by"]>;
  readonly sort_order: NonNullable<AgentQuery["sort_order"]>;
}

/** How the platform lists by itself: the latest change first. */
export const plainListing: AgentListing = { sort_by: "updated_at", sort_order: "desc" };

/** Every order, with what it is called. */
export const orders: readonly (Pick<AgentListing, "sort_by" | "sort_order"> & { readonly words: string })[] =
  [
    { sort_by: "updated_at", sort_order: "desc", words: "latest change first" },
    { sort_by: "updated_at", sort_order: "asc", words: "oldest change first" },
    { sort_by: "created_at", sort_order: "desc", words: "newest first" },
    { sort_by: "created_at", sort_order: "asc", words: "oldest first" },
    { sort_by: "name", sort_order: "asc", words: "by name, A to Z" },
    { sort_by: "name", sort_order: "desc", words: "by name, Z to A" },
  ];

/** Whether the listing differs from what the platform does by itself. */
export function isArranged(listing: AgentListing): boolean {
  return describeListing(listing) !== "";
}

/** The listing in words for the view's description; empty when there is nothing to say. */
export function describeListing({ name = "", sort_by, sort_order }: AgentListing): string {
  const order = orders.find((known) => known.sort_by === sort_by && known.sort_order === sort_order);
  const plain = sort_by === plainListing.sort_by && sort_order === plainListing.sort_order;
  return dotted([name === "" ? "" : `“${name}”`, plain ? "" : (order?.words ?? "")]);
}

/** A listing that was kept over a reload, or the plain one when it can't be read. */
export function listingFrom(kept: unknown): AgentListing {
  if (typeof kept !== "object" || kept === null) return plainListing;
  const { name, sort_by, sort_order } = kept as Readonly<Record<string, unknown>>;
  const order = orders.find((known) => known.sort_by === sort_by && known.sort_order === sort_order);
  return {
    sort_by: order?.sort_by ?? plainListing.sort_by,
    sort_order: order?.sort_order ?? plainListing.sort_order,
    ...(typeof name === "string" && name !== "" ? { name } : {}),
  };
}
