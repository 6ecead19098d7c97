/** What package.json contributes to the editor, as far as tests look at it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A command as the editor lists it. */
export interface Command {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}

/** Where a command stands, and when. */
export interface Clause {
  readonly command?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly Command[];
    readonly views: Readonly<
      Record<string, readonly { readonly id: string; readonly icon: string; readonly when?: string }[]>
    >;
    readonly viewsContainers: {
      readonly activitybar: readonly { readonly id: string; readonly icon: string }[];
    };
    readonly viewsWelcome: readonly {
      readonly view: string;
      readonly when: string;
      readonly contents: string;
    }[];
    readonly debuggers: readonly { readonly type: string }[];
    readonly customEditors: readonly { readonly viewType: string }[];
    readonly menus: Readonly<Record<string, readonly Clause[]>>;
    readonly keybindings: readonly (Clause & {
      readonly key: string;
      readonly mac?: string;
      readonly args?: unknown;
    })[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly scope: string; readonly default: unknown }>>;
    };
    readonly walkthroughs: readonly {
      readonly id: string;
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
  };
}

/** The repository's folder. */
export const root = join(import.meta.dirname, "../..");
/** All of package.json. */
export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
/** What it contributes. */
export const { contributes } = manifest;
/** All that stands somewhere under a condition. */
export const clauses: readonly Clause[] = [
  ...Object.values(contributes.menus).flat(),
  ...contributes.keybindings,
  ...contributes.viewsWelcome,
  ...Object.values(contributes.views)
    .flat()
    .map(({ when = "" }) => ({ when })),
];

/** The steps of all walkthroughs. */
export const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
/** What ends steps of walkthroughs: commands, or context keys. */
export const completing = (by: "onCommand" | "onContext"): readonly string[] =>
  steps
    .flatMap(({ completionEvents }) => completionEvents)
    .flatMap((event) => (event.startsWith(`${by}:`) ? event.slice(by.length + 1) : []));
