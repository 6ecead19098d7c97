/** A part of the extension whose module is loaded when the part is first used. */

import type * as vscode from "vscode";

/** What every part can do: it goes when the extension does. */
export interface LaterPart {
  dispose(): void;
}

/** Makes its part once, and disposes of it when it was made. */
export class Later<Part extends LaterPart> implements vscode.Disposable {
  /** Resolves when somebody has used the part; never when nobody does. */
  readonly made: Promise<Part>;
  readonly #make: () => Promise<Part>;
  readonly #registered: LaterPart | undefined;
  #part: Promise<Part> | undefined;

  /** `registered` is what stands in the editor for the part before there is one. */
  constructor(make: () => Promise<Part>, registered?: LaterPart) {
    const { promise, resolve } = Promise.withResolvers<Part>();
    this.made = promise;
    this.#make = async () => {
      const part = await make();
      resolve(part);
      return part;
    };
    this.#registered = registered;
  }

  /** The part, which is made now if it was not; after a failure the next call tries again. */
  get(): Promise<Part> {
    this.#part ??= this.#make().catch((error: unknown) => {
      this.#part = undefined;
      throw error;
    });
    return this.#part;
  }

  /** Does something with the part if it was made; resolves when that is done. */
  async ifMade(use: (part: Part) => Promise<void> | void): Promise<void> {
    const part = await this.#part?.catch(() => undefined);
    if (part !== undefined) await use(part);
  }

  dispose(): void {
    this.#registered?.dispose();
    void this.ifMade((part) => part.dispose());
  }
}

/** What is made by each of these. */
export type Made<Parts> = {
  readonly [Name in keyof Parts]: Parts[Name] extends Later<infer Part> ? Part : never;
};
