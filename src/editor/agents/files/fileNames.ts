/** Which names can be files of a folder, on whatever disk, and which two of them would be one file. */

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
  if (unseen.test(path)) return "its name has characters that nobody sees";
  if (segments.some(isNoName)) return "not every system can have a file of this name";
  const isLong =
    bytesOf(path) > mostPathBytes || segments.some((segment) => bytesOf(segment) > mostNameBytes);
  return isLong ? "its name is too long" : undefined;
}

/** Whether some systems take the name for a device. */
export function isDeviceName(name: string): boolean {
  return /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$) *(?:\.|$)/i.test(name);
}

/** The names of one folder and of all below it. */
export class FileNames {
  /** Each path and each folder on its way as some disk compares it, and as it is spelled. */
  readonly #known = new Map<string, { readonly path: string; readonly isFile: boolean }>();

  /** The path is taken. */
  add(path: string): void {
    for (const part of partsOf(path)) this.#known.set(folded(part), { path: part, isFile: part === path });
  }

  /** Why there can be no such file beside those that are there; undefined when there can. */
  clash(path: string): string | undefined {
    for (const part of partsOf(path)) {
      const other = this.#known.get(folded(part));
      if (other === undefined) continue;
      if (other.path !== part) return `its name is too much like ${other.path}`;
      if (part === path) return other.isFile ? "it is there already" : `${part} is a folder`;
      if (other.isFile) return `${part} is a file`;
    }
    return undefined;
  }
}

/** The first of these files that there can't be beside those before it, and why. */
export function clashAmong(
  paths: Iterable<string>,
): { readonly path: string; readonly why: string } | undefined {
  const names = new FileNames();
  for (const path of paths) {
    const why = names.clash(path);
    if (why !== undefined) return { path, why };
    names.add(path);
  }
  return undefined;
}

/** Of one name, as all common disks have it; of a path below a folder, where that of macOS has 1,024. */
const [mostNameBytes, mostPathBytes] = [255, 512];

/**
 * Control and format characters, which turn the direction of what follows or are not drawn at all, line separators and
 * halves of characters. Joiners stay: names in many scripts need them.
 */
const unseen = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}|[\u115f\u1160\u2800\u3164\uffa0]/u;

/** Windows has short names such as `AGENT~1.JSO` for longer ones. */
function isNoName(name: string): boolean {
  return /[\\:*?"<>|]|[. ]$|~\d+(?:\.|$)/.test(name) || isDeviceName(name);
}

function partsOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** Disks compare names without regard to case, to how a letter is composed, or to joiners; no two of them alike. */
function folded(path: string): string {
  const composed = path.normalize("NFKD").replace(/[\u200c\u200d\p{Variation_Selector}]/gu, "");
  return composed.toUpperCase().toLowerCase().normalize("NFKD");
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
