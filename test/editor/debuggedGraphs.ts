import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import type { RunSession } from "../../src/run/session/session.ts";
import type { DebugState, Pause } from "../../src/editor/workspaceGraphs/debugStates.ts";
import type { GraphServerState } from "../../src/editor/workspaceGraphs/serverProcess.ts";
import { until } from "../support/until.ts";
import type { Extension } from "./extensionUnderTest.ts";
import type { TestProject } from "./graphProject.ts";

/** A server that loads its graphs anew under the debugger, on a slow machine. */
export const slowMs = 180_000;

const source = "graphs/planner.mts";

/** The graphs of a project, as a debugger and runs find them. */
export class DebuggedGraphs {
  readonly #extension: Extension;
  readonly #project: TestProject;

  constructor(extension: Extension, project: TestProject) {
    this.#extension = extension;
    this.#project = project;
  }

  /** What commands are given. */
  get ref(): { readonly connectionId: string } {
    return { connectionId: this.#project.id };
  }

  get target(): { readonly connectionId: string; readonly server: { readonly kind: "workspaceGraphs" } } {
    return { ...this.ref, server: { kind: "workspaceGraphs" } };
  }

  state(): GraphServerState {
    return this.#extension.workspaceGraphs.state(this.#project.id);
  }

  debugState(): DebugState | undefined {
    return this.#extension.workspaceGraphs.debugging.of(this.#project.id);
  }

  get source(): vscode.Uri {
    return this.#project.uri(source);
  }

  log(): Promise<string> {
    return this.#extension.workspaceGraphs.log(this.#project.id);
  }

  async debug(): Promise<void> {
    await vscode.commands.executeCommand("agentOperations.graphs.debug", this.ref);
  }

  /** The line of the source that has the text, from 1. */
  async lineOf(text: string): Promise<number> {
    const lines = (await readFile(join(this.#project.folder, source), "utf8")).split("\n");
    return lines.findIndex((line) => line.includes(text)) + 1;
  }

  /** Sets a breakpoint at a line of the source. */
  breakAt(line: number): vscode.Breakpoint {
    const breakpoint = new vscode.SourceBreakpoint(
      new vscode.Location(this.source, new vscode.Position(line - 1, 0)),
    );
    vscode.debug.addBreakpoints([breakpoint]);
    return breakpoint;
  }

  paused(): Promise<Pause> {
    const located = (): Pause | undefined => {
      const { pause } = this.debugState() ?? {};
      return pause?.location && pause;
    };
    return until("it is paused and says where", located, slowMs);
  }

  /** Starts a run, in a new thread unless one is given. */
  async run(
    task: string,
    session = this.#extension.panels.openNew(this.target).session,
  ): Promise<RunSession> {
    const input = { json: { task } };
    const outcome = await session.start({ assistantId: "planner", input, streamModes: ["updates"] });
    assert.deepEqual(outcome, { accepted: true });
    return session;
  }

  /** Waits for the end of the last run; answers how it ended. */
  async ended(session: RunSession): Promise<string | undefined> {
    await until("the run is over", () => session.state.kind === "idle", slowMs);
    return session.entries.findLast((entry) => entry.kind === "run")?.status;
  }

  /** How often the graphs were loaded. */
  async loads(): Promise<number> {
    return (await this.log()).split("Server running at").length - 1;
  }

  loadedAnew(before: number): Promise<unknown> {
    return until(
      "the graphs are loaded anew",
      async () => {
        const state = this.state();
        return (await this.loads()) > before && state.kind === "running" && !state.reloading;
      },
      slowMs,
    );
  }

  /** Types a line above another one, which is not saved. */
  async type(aboveLine: number): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(this.source);
    const at = new vscode.Position(aboveLine - 1, 0);
    await editor.edit((edit) => edit.insert(at, "  // Another line.\n"));
    return editor.document;
  }
}
