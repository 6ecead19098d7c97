/**
 * Which version of each file the editor last saw: what tells a save over somebody else's change from one that is not.
 * Kept as digests over a reload of the window, because unsaved text outlasts it, too.
 */

import { createHash } from "node:crypto";
import type * as vscode from "vscode";
import { KeptList, type Memory } from "../../kit/keptList.ts";

interface Version {
  readonly digest: string;
  /** The modification time that the editor gets for this version. */
  readonly mtime: number;
}

const mostKept = 500;

/** The versions of files that the editor has, by address. */
export class AgentBases {
  readonly #seen: KeptList<readonly [address: string, Version]>;
  readonly #newest = new Map<string, Version>();
  #lastTime = 0;

  constructor(memory: Memory) {
    this.#seen = new KeptList(memory, "agentFileBases", ([address]) => address, mostKept);
  }

  /** Whether the text is the version that the editor last saw. */
  isSeen(uri: vscode.Uri, text: string): boolean {
    return this.#seen.get(uri.toString())?.[1].digest === digestOf(text);
  }

  /** The time of the version that the editor last saw; undefined when it saw none. */
  timeSeen(uri: vscode.Uri): number | undefined {
    return this.#seen.get(uri.toString())?.[1].mtime;
  }

  /** The time of the newest version, which moves only when the text does. */
  timeOf(uri: vscode.Uri, text: string): number {
    return this.#version(uri.toString(), text).mtime;
  }

  /**
   * This version may be written over by what is typed. The editor does not have it, so its time stays: an editor that
   * finds a later time does not save.
   */
  setAccepted(uri: vscode.Uri, text: string): void {
    const mtime = this.timeSeen(uri);
    if (mtime === undefined) this.setSeen(uri, text);
    else void this.#seen.keep([uri.toString(), { digest: digestOf(text), mtime }]);
  }

  /** The editor has this version now. */
  setSeen(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    const version = this.#version(key, text);
    if (this.#seen.get(key)?.[1].digest === version.digest) return;
    void this.#seen.keep([key, version]);
  }

  #version(key: string, text: string): Version {
    const digest = digestOf(text);
    const known = [this.#newest.get(key), this.#seen.get(key)?.[1]].find(
      (version) => version?.digest === digest,
    );
    if (known !== undefined) return known;
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    const version = { digest, mtime: this.#lastTime };
    this.#newest.set(key, version);
    return version;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
