import type { Graph, GraphNode } from "./agent.ts";
import { uuid7 } from "../kit/ids.ts";
import type { JsonObject } from "../kit/json.ts";
import {
  type Checkpoint,
  type CheckpointSource,
  pendingInterrupts,
  type Task,
  unfinished,
} from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { applyUpdate, type State, toMessages } from "./messages.ts";
import { GraphInterrupt, type RunScope, StepContext } from "./nodeContext.ts";

/** Nodes at which a run stops by itself; "*" is every node. */
export interface Breakpoints {
  readonly before: "*" | readonly string[];
  readonly after: "*" | readonly string[];
}

/** A step failed; carries what it threw. */
export class NodeFailure extends Error {
  override readonly name = "NodeFailure";
  override readonly cause: Error;

  constructor(cause: Error) {
    super(cause.message);
    this.cause = cause;
  }
}

/** The execution of one run: steps from one checkpoint to the next until none is left or something stops it. */
export class Executor {
  readonly #checkpoints: Checkpoints;
  readonly #scope: RunScope;
  readonly #breakpoints: Breakpoints;

  constructor(checkpoints: Checkpoints, scope: RunScope, breakpoints: Breakpoints) {
    this.#checkpoints = checkpoints;
    this.#scope = scope;
    this.#breakpoints = breakpoints;
  }

  /**
   * Goes on from a checkpoint; answers the last one, which waits for a person if it has unfinished steps.
   * When the run is stopped, what its steps had said is kept in one more checkpoint.
   */
  async run(
    graph: Graph,
    start: Checkpoint,
    ns: readonly string[] = [],
    outer?: StepContext,
  ): Promise<Checkpoint> {
    let checkpoint = start;
    let resuming = true;
    for (;;) {
      const tasks = unfinished(checkpoint);
      if (tasks.length === 0) return checkpoint;
      if (ns.length === 0 && !resuming && stopsAt(this.#breakpoints.before, tasks)) {
        return this.#stopped(checkpoint, ns);
      }
      resuming = false;
      const contexts = tasks.map((task) => this.#context(checkpoint, task, ns, outer));
      const results = await this.#runTasks(graph, checkpoint, tasks, contexts, ns);
      if (this.#scope.signal.aborted) {
        if (ns.length === 0) this.#keepPartial(graph, checkpoint, contexts);
        this.#scope.signal.throwIfAborted();
      }
      const failure = results.find((error) => error !== undefined && !(error instanceof GraphInterrupt));
      if (failure !== undefined) throw new NodeFailure(failure);
      if (unfinished(checkpoint).length > 0) return this.#stopped(checkpoint, ns);
      checkpoint = this.#step(graph, checkpoint, ns);
      if (ns.length === 0 && unfinished(checkpoint).length > 0 && stopsAt(this.#breakpoints.after, tasks)) {
        return this.#stopped(checkpoint, ns);
      }
    }
  }

  /** Stores and announces a checkpoint. */
  enter(checkpoint: Checkpoint, ns: readonly string[] = []): Checkpoint {
    this.#checkpoints.insert(checkpoint);
    this.#scope.emit({ type: "checkpoint", ns, checkpoint });
    return checkpoint;
  }

  async #runTasks(
    graph: Graph,
    checkpoint: Checkpoint,
    tasks: readonly Task[],
    contexts: readonly StepContext[],
    ns: readonly string[],
  ): Promise<(Error | undefined)[]> {
    const { step } = checkpoint.metadata;
    const runs = tasks.map(async (task, index) => {
      const context = contexts[index];
      const node = nodeOf(graph, task.name);
      if (context === undefined || node === undefined) return new Error(`There is no node ${task.name}.`);
      task.error = null;
      this.#scope.emit({ type: "task-start", ns, task, step: step + 1, input: checkpoint.values });
      try {
        const result = await node.run(context);
        if (result.messages !== undefined) context.announce(toMessages(result.messages));
        task.result = result;
        task.interrupts = [];
      } catch (error) {
        const thrown = error instanceof Error ? error : new Error(String(error));
        if (this.#scope.signal.aborted) return thrown;
        if (thrown instanceof GraphInterrupt) {
          task.interrupts = [thrown.interrupt];
        } else {
          task.error = JSON.stringify({ message: thrown.message, name: thrown.name });
          // An answer that made the step fail is forgotten, so that the question can be answered again.
          if (task.interrupts.length > 0) task.answers = task.answers.slice(0, -1);
        }
        this.#scope.emit({ type: "task-end", ns, task, step: step + 1 });
        return thrown;
      }
      this.#scope.emit({ type: "task-end", ns, task, step: step + 1 });
      return undefined;
    });
    const results = await Promise.all(runs);
    const complete = results.every((error) => error === undefined);
    if (!complete && !this.#scope.signal.aborted) this.#checkpoints.updateTasks(checkpoint);
    return results;
  }

  #step(graph: Graph, from: Checkpoint, ns: readonly string[]): Checkpoint {
    let values = from.values;
    for (const { result } of from.tasks) values = applyUpdate(values, result ?? {});
    const next = nextNodes(graph, from.tasks, values);
    return this.enter(nextCheckpoint(graph, from, this.#scope.runId, "loop", values, next), ns);
  }

  #stopped(checkpoint: Checkpoint, ns: readonly string[]): Checkpoint {
    const interrupts = unfinished(checkpoint).flatMap((task) => task.interrupts);
    this.#scope.emit({ type: "interrupt", ns, interrupts });
    return checkpoint;
  }

  #keepPartial(graph: Graph, from: Checkpoint, contexts: readonly StepContext[]): void {
    const said = contexts.flatMap((context) => context.partial());
    let values = from.values;
    for (const { result } of from.tasks) values = applyUpdate(values, result ?? {});
    values = applyUpdate(values, { messages: said });
    const rest = unfinished(from).map(({ name }) => name);
    const next = rest.length > 0 ? rest : nextNodes(graph, from.tasks, values);
    this.#checkpoints.insert(nextCheckpoint(graph, from, this.#scope.runId, "loop", values, next));
  }

  #context(checkpoint: Checkpoint, task: Task, ns: readonly string[], outer?: StepContext): StepContext {
    const { threadId, runId } = this.#scope;
    const context: StepContext = new StepContext({
      scope: this.#scope,
      ...{ ns, task, step: checkpoint.metadata.step + 1, state: checkpoint.values, outer },
      runSubgraph: async (inner, innerNs, input) => {
        const first = this.enter(inputCheckpoint(inner, threadId, runId, undefined, input, innerNs), innerNs);
        const last = await this.run(inner, first, innerNs, outer ?? context);
        const [question] = pendingInterrupts(last);
        if (question !== undefined) throw new GraphInterrupt(question);
        return last.values;
      },
    });
    return context;
  }
}

/** The checkpoint that a new input makes on top of another (or of nothing). */
export function inputCheckpoint(
  graph: Graph,
  threadId: string,
  runId: string,
  base: Checkpoint | undefined,
  input: JsonObject,
  ns: readonly string[] = [],
): Checkpoint {
  const from = base ?? blank(threadId, ns.join("|"));
  return nextCheckpoint(graph, from, runId, "input", applyUpdate(from.values, input), graph.entry);
}

/** A checkpoint after another: next step, new id, and the tasks of the nodes that come next. */
export function nextCheckpoint(
  graph: Graph,
  from: Checkpoint,
  runId: string | null,
  source: CheckpointSource,
  values: State,
  next: readonly string[],
): Checkpoint {
  return {
    thread_id: from.thread_id,
    ns: from.ns,
    id: uuid7(),
    parent_id: from.id === "" ? null : from.id,
    run_id: runId,
    node: source === "input" ? "__start__" : (from.tasks.at(-1)?.name ?? from.node),
    values,
    tasks: next.map((name) => newTask(graph, name)),
    metadata: {
      source,
      step: from.metadata.step + 1,
      parents: {},
      thread_id: from.thread_id,
      graph_id: graph.name,
      ...(runId === null ? {} : { run_id: runId }),
    },
    created_at: new Date().toISOString(),
  };
}

/** A state before anything: the base of a thread's first checkpoint. */
export function blank(threadId: string, ns = ""): Checkpoint {
  return {
    thread_id: threadId,
    ns,
    id: "",
    parent_id: null,
    run_id: null,
    node: null,
    values: { messages: [] },
    tasks: [],
    metadata: { source: "input", step: -2 },
    created_at: new Date().toISOString(),
  };
}

/** The node of a graph that a client named. */
export function nodeOf(graph: Graph, name: string): GraphNode | undefined {
  return Object.hasOwn(graph.nodes, name) ? graph.nodes[name] : undefined;
}

/** The nodes that follow a set of finished steps. */
export function nextNodes(
  graph: Graph,
  tasks: readonly { readonly name: string }[],
  values: State,
): string[] {
  const next = new Set<string>();
  for (const { name } of tasks) {
    const node = nodeOf(graph, name);
    for (const target of node?.next?.(values) ?? node?.targets ?? []) next.add(target);
  }
  return [...next];
}

function newTask(graph: Graph, name: string): Task {
  const subgraph = nodeOf(graph, name)?.subgraph !== undefined;
  return { id: uuid7(), name, error: null, interrupts: [], result: null, answers: [], subgraph };
}

function stopsAt(nodes: Breakpoints["before"], tasks: readonly Task[]): boolean {
  return nodes === "*" || tasks.some(({ name }) => nodes.includes(name));
}
