import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { appendFile, cp, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";

const repository = process.env["AGENT_OPERATIONS_REPO"] ?? "";

/** A folder of the workspace with graphs that need no model, run by the pinned agent server. */
export interface TestProject {
  /** Of its connection. */
  readonly id: string;
  readonly folder: string;
  uri(file: string): vscode.Uri;
  /** The processes whose command line names the folder or its server's port; on Linux alone. */
  processes(): readonly string[];
  remove(): Promise<void>;
}

/** Copies the project into the workspace under a name of its own, and waits until it is listed. */
export async function makeProject(extension: Extension): Promise<TestProject> {
  const [workspace] = vscode.workspace.workspaceFolders ?? [];
  const folder = join(workspace!.uri.fsPath, `graphs-${randomUUID().slice(0, 8)}`);
  await cp(join(repository, "test/support/graphProject"), folder, { recursive: true });
  await cp(join(folder, "env.example"), join(folder, ".env"));
  await writeFile(join(folder, ".gitignore"), ".langgraph_api\n");
  await symlink(
    join(repository, "test/peers/langgraph/node_modules"),
    join(folder, "node_modules"),
    "junction",
  );
  const { workspaceGraphs } = extension;
  const project = await until("the project is listed", async () => {
    await workspaceGraphs.refresh();
    return workspaceGraphs.projects.find((one) => one.folder.fsPath === folder);
  });
  return {
    id: project.id,
    folder,
    uri: (file) => vscode.Uri.file(join(folder, file)),
    processes: () => processesWith(folder),
    remove: async () => {
      await workspaceGraphs.stop(project.id);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      await until("the project is not listed any more", async () => {
        await workspaceGraphs.refresh();
        return workspaceGraphs.project(project.id) === undefined;
      });
    },
  };
}

/** Puts a line at the end of a file behind the editor's back. */
export async function appendLine(project: TestProject, file: string, line: string): Promise<void> {
  await appendFile(join(project.folder, file), `${line}\n`);
}

function processesWith(text: string): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return command.includes(text) ? [`${pid} ${command}`] : [];
      } catch {
        return [];
      }
    });
}
