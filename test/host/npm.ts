import { startProcessGroup } from "./processGroup.ts";

/** How an npm command ended. */
export interface NpmOutcome {
  readonly succeeded: boolean;
  readonly lastLines: string;
}

const deadlineMs = 10 * 60_000;

/** Runs npm quietly in `cwd`: the npm that started this process if there is one. */
export async function runNpm(args: readonly string[], cwd: string): Promise<NpmOutcome> {
  const script = process.env["npm_execpath"];
  const child =
    script === undefined
      ? startProcessGroup("npm", args, { cwd })
      : startProcessGroup(process.execPath, [script, ...args], { cwd });
  const deadline = setTimeout(() => void child.stop(), deadlineMs);
  const code = await child.exited.finally(() => clearTimeout(deadline));
  return { succeeded: code === 0, lastLines: child.lastLines() };
}
