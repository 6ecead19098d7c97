import type { EditorServer } from "./editorServer.ts";
import type { Profile } from "./profile.ts";

/** The page in which the editor runs. */
export interface HostPage {
  /** Gives its scripts a function of that name, which is called here with JSON values. */
  exposeFunction(name: string, called: (...values: never[]) => unknown): Promise<unknown>;
  on(event: "crash", listener: () => void): unknown;
  on(event: "pageerror", listener: (error: Error) => void): unknown;
  goto(url: string, options: { readonly timeout: number }): Promise<unknown>;
}

export interface HostedModule {
  /** The module whose `run()` the extension host calls. */
  readonly module: string;
  /** Folders of the extensions under development. */
  readonly extensions: readonly string[];
  readonly deadlineMs: number;
  readonly onConsole?: (line: string) => void;
}

/** Opens the workbench, whose driver runs the module; gives the reason why it did not succeed, if there is one. */
export async function runInExtensionHost(
  page: HostPage,
  { baseUrl, exited }: EditorServer,
  { workspace }: Profile,
  { module, extensions, deadlineMs, onConsole }: HostedModule,
): Promise<string | undefined> {
  const finished = Promise.withResolvers<string | undefined>();
  await page.exposeFunction("codeAutomationLog", (type: string, values: unknown[]) => {
    onConsole?.(`${type} ${values.map((value) => String(value)).join(" ")}`);
  });
  await page.exposeFunction("codeAutomationExit", (code: number) => {
    finished.resolve(code === 0 ? undefined : `the extension host ended with code ${code}`);
  });
  page.on("crash", () => finished.resolve("the page crashed"));
  page.on("pageerror", (error) => onConsole?.(`page error ${error.message}`));
  void exited.then((code) => finished.resolve(`the editor server ended with code ${String(code)}`));
  const deadline = setTimeout(() => finished.resolve("it took too long"), deadlineMs);
  const remote = (path: string): string => `vscode-remote://${new URL(baseUrl).host}${path}`;
  const payload = [
    ...extensions.map((path) => ["extensionDevelopmentPath", remote(path)]),
    ["extensionTestsPath", remote(module)],
    ["skipWelcome", "true"],
  ];
  const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
  await page.goto(`${baseUrl}/?${query.toString()}`, { timeout: 120_000 });
  return finished.promise.finally(() => clearTimeout(deadline));
}
