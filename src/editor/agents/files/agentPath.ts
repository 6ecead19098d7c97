/** Names of files as a server gives them: which can be shown, and which can be written to a disk. */

const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Why a path can't be a file below a folder; undefined when it can. Hidden files are left out, because editors and
 * other tools act on what stands in them (`.vscode`, `.git`).
 */
export function pathProblem(path: string): string | undefined {
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "it leads out of the agent's folder";
  }
  if (segments.some((segment) => segment.startsWith("."))) return "it is hidden";
  if (/[\p{Cc}\\:*?"<>|]/u.test(path)) return "not every system can have a file of this name";
  if (segments.some((segment) => deviceName.test(segment) || /[. ]$/.test(segment))) {
    return "not every system can have a file of this name";
  }
  return path.length > 512 ? "its name is too long" : undefined;
}

/** Whether an agent's folder on disk has such a file, whatever else stands beside it there. */
export function isOfLayout(path: string): boolean {
  return /^(?:agent\.json|AGENTS\.md|tools\.json|(?:skills|subagents)\/.+)$/.test(path);
}

/** Which check a file of an agent has to pass. */
export function kindOf(path: string): "settings" | "tools" | "subagent" | "text" {
  if (path === "agent.json") return "settings";
  if (/^subagents\/[^/]+\/agent\.json$/.test(path)) return "subagent";
  return /^(?:subagents\/[^/]+\/)?tools\.json$/.test(path) ? "tools" : "text";
}

/** A folder's name for an agent, whatever the agent is called. */
export function folderName(agentName: string): string {
  const slug = agentName
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" || deviceName.test(slug) ? `agent-${slug}`.replace(/-$/, "") : slug;
}
