/** Whose traces can be exported: the projects that a platform lists, else those that are known from elsewhere. */

import type { BulkExport } from "../../api/bulkExports/bulkExport.ts";
import type { Project, Projects } from "../../api/bulkExports/projects.ts";
import type { ReceivedFacts } from "../issues/issueStore.ts";
import { adviceFor } from "../kit/remedies.ts";

/** What can be chosen without an id. */
export interface KnownProjects {
  readonly items: readonly KnownProject[];
  /** What a person should know of the list; empty when it is whole. */
  readonly note: string;
}

/** A project, and where it is known from when no list has it. */
export interface KnownProject extends Project {
  readonly source?: string;
}

/** Who is asked; what throws is taken for a place that knows none. */
export interface ProjectSources {
  readonly list: () => ReturnType<Projects["list"]>;
  /** The connection's exports. */
  readonly jobs: () => Promise<readonly BulkExport[] | undefined>;
  /** What was received of any workspace. */
  readonly received: () => Promise<readonly ReceivedFacts[]>;
  /** The connection's workspace: projects of another one can't be exported here. */
  readonly workspaceId: string | undefined;
}

const elsewhere = "Those are offered that earlier exports and received issues name.";

/** The projects of a platform; those of elsewhere where it has no list, or gives none. */
export async function projectsOf(sources: ProjectSources): Promise<KnownProjects> {
  try {
    const listed = await sources.list();
    if (listed === undefined) {
      return { items: await fromElsewhere(sources), note: `This platform lists no projects. ${elsewhere}` };
    }
    const { items, hasMore } = listed;
    const note = `The first ${String(items.length)} are listed; any other one goes by its ID.`;
    return { items, note: hasMore ? note : "" };
  } catch (error) {
    const why = adviceFor(error).message.replace(/\.?$/, ".");
    return { items: await fromElsewhere(sources), note: `The projects can't be listed: ${why} ${elsewhere}` };
  }
}

async function fromElsewhere(sources: ProjectSources): Promise<readonly KnownProject[]> {
  const [jobs = [], received] = await Promise.all([
    sources.jobs().catch(() => []),
    sources.received().catch(() => []),
  ]);
  const found = new Map<string, KnownProject>();
  for (const facts of received) {
    if (facts.kind === "other") continue;
    const {
      tenant_id,
      session_id: id,
      session_name: name,
    } = facts.kind === "issue" ? facts.issue : facts.failure;
    if (id === undefined || tenant_id === undefined || tenant_id !== sources.workspaceId) continue;
    if (!found.has(id)) found.set(id, { id, name: name ?? id, source: "from a received issue" });
  }
  for (const { session_id: id } of jobs) {
    if (typeof id === "string" && !found.has(id))
      found.set(id, { id, name: id, source: "from an earlier export" });
  }
  return [...found.values()];
}
