import { join } from "node:path";

import type { EditorHost } from "./install.ts";
import { startProcessGroup } from "./processGroup.ts";
import type { Profile } from "./profile.ts";

/** A running editor server. */
export interface EditorServer {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly baseUrl: string;
  /** Of the server, which leads the group of all its processes. */
  readonly pid: number;
  /** Settles when the server ends, for whatever reason. */
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

/** Raised when the server ends, or says nothing, before it is ready. */
export class EditorServerError extends Error {
  override readonly name = "EditorServerError";
}

const readyWithinMs = 180_000;

/** Starts the bare server with the driver that runs tests inside its extension host. */
export function startTestServer(
  host: EditorHost,
  profile: Profile,
  env: Readonly<Record<string, string>>,
): Promise<EditorServer> {
  const args = [
    ...["--host", "127.0.0.1", "--port", "0", "--without-connection-token"],
    ...["--accept-server-license-terms", "--enable-smoke-test-driver", "--disable-workspace-trust"],
    ...["--disable-telemetry", "--disable-websocket-compression", "--reconnection-grace-time", "5"],
    ...folders(profile),
    ...["--server-data-dir", join(profile.root, "server")],
  ];
  const ready = /^Server bound to 127\.0\.0\.1:(\d+)/;
  return start([host.serverMain, ...args], profile, env, ready);
}

/** Starts the complete server, as a person would, on a free port unless one is given. */
export function startCodeServer(host: EditorHost, profile: Profile, port = 0): Promise<EditorServer> {
  const args = [
    ...["--bind-addr", `127.0.0.1:${port}`, "--auth", "none"],
    ...["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"],
    ...["--disable-getting-started-override", "--app-name", "Agent Operations"],
    ...codeServerFolders(profile),
    profile.workspace,
  ];
  const ready = /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/;
  return start([host.codeServer, ...args], profile, {}, ready);
}

/** Installs a packaged extension into the profile. */
export async function installExtension(host: EditorHost, profile: Profile, vsix: string): Promise<void> {
  const args = [host.codeServer, "--install-extension", vsix, "--force", ...codeServerFolders(profile)];
  const child = startProcessGroup(process.execPath, args, {
    env: foreignVariables(),
    logFile: join(profile.logs, "install.log"),
  });
  const deadline = setTimeout(() => void child.stop(), readyWithinMs);
  const code = await child.exited.finally(() => clearTimeout(deadline));
  if (code !== 0) throw new EditorServerError(`The editor did not install ${vsix}:\n${child.lastLines()}`);
}

/** Its configuration file too stays in the profile, away from the one in the user's home. */
function codeServerFolders(profile: Profile): string[] {
  return [...["--config", join(profile.root, "code-server.yaml")], ...folders(profile)];
}

function folders({ userData, extensions, builtIn }: Profile): string[] {
  const given = ["--user-data-dir", userData, "--extensions-dir", extensions];
  return builtIn === undefined ? given : [...given, "--builtin-extensions-dir", builtIn];
}

async function start(
  args: readonly string[],
  profile: Profile,
  env: Readonly<Record<string, string>>,
  ready: RegExp,
): Promise<EditorServer> {
  const listening = Promise.withResolvers<string>();
  const group = startProcessGroup(process.execPath, args, {
    // With VSCODE_CLI it starts no shell of a person's to ask that for more variables.
    env: { ...foreignVariables(), VSCODE_CLI: "1", ...env },
    logFile: join(profile.logs, "server.log"),
    onLine: (line) => {
      const port = ready.exec(line)?.[1];
      if (port !== undefined) listening.resolve(port);
    },
  });
  const fail = (reason: string): void =>
    listening.reject(new EditorServerError(`The editor server ${reason}:\n${group.lastLines()}`));
  const deadline = setTimeout(() => fail(`was not ready within ${readyWithinMs / 1000} s`), readyWithinMs);
  group.exited.then(
    (code) => fail(`ended with code ${String(code)}`),
    (error: unknown) => fail(`could not be started (${String(error)})`),
  );
  try {
    const port = await listening.promise;
    return {
      baseUrl: `http://127.0.0.1:${port}`,
      pid: group.pid,
      exited: group.exited,
      stop: () => group.stop(),
    };
  } catch (error) {
    await group.stop();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Variables of an editor whose terminal this runs in, and those that would move the server elsewhere, are removed. */
function foreignVariables(): Record<string, undefined> {
  const foreign = /^(VSCODE_|ELECTRON_|CODE_SERVER_|CS_|NODE_OPTIONS$|PORT$|PASSWORD$|HASHED_PASSWORD$)/;
  const names = Object.keys(process.env).filter((name) => foreign.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
