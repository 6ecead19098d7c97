import type { Graph } from "./agent.ts";
import {
  type Checkpoint,
  inputCheckpoint,
  nextCheckpoint,
  nextNodes,
  nodeOf,
  pendingInterrupts,
  type Task,
  unfinished,
  valuesAfter,
} from "./checkpoint.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { applyUpdate, toMessages } from "./messages.ts";
import type { TaskEnd } from "./graphEvent.ts";
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

/** Where a run came to its end. */
export interface Ending {
  readonly checkpoint: Checkpoint;
  /** Whether it stopped before the graph's end: for a person, or at a breakpoint. */
  readonly stopped: boolean;
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
   * Goes on from a checkpoint until no step is left or something stops it. The steps that wait at its start go on
   * whatever the breakpoints say. When the run is stopped, what its steps had said is kept in one more checkpoint.
   */
  async run(
    graph: Graph,
    start: Checkpoint,
    ns: readonly string[] = [],
    outer?: StepContext,
  ): Promise<Ending> {
    let checkpoint = start;
    for (;;) {
      const tasks = unfinished(checkpoint);
      const atBreakpoint = (nodes: Breakpoints["before"]) => ns.length === 0 && stopsAt(nodes, tasks);
      if (checkpoint.tasks.length === 0) return { checkpoint, stopped: false };
      if (checkpoint !== start && atBreakpoint(this.#breakpoints.before))
        return this.#stopped(checkpoint, ns);
      const contexts = tasks.map((task) => this.#context(checkpoint, task, ns, outer));
      const results = await this.#runTasks(graph, checkpoint, tasks, contexts, ns);
      if (this.#scope.signal.aborted) {
        if (ns.length === 0 && this.#scope.keepsPartial()) this.#keepPartial(graph, checkpoint, contexts);
        this.#scope.signal.throwIfAborted();
      }
      const failure = results.find((error) => error !== undefined && !(error instanceof GraphInterrupt));
      if (failure !== undefined) throw new NodeFailure(failure);
      if (unfinished(checkpoint).length > 0) return this.#stopped(checkpoint, ns);
      checkpoint = this.#step(graph, checkpoint, ns);
      if (atBreakpoint(this.#breakpoints.after)) return this.#stopped(checkpoint, ns);
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
      this.#scope.emit({ type: "task-start", ns, task, step: step + 1, input: checkpoint.values });
      const end = (ended: Omit<TaskEnd, "id" | "name">) => {
        const { id, name } = task;
        this.#scope.emit({ type: "task-end", ns, task: { id, name, ...ended }, step: step + 1 });
      };
      try {
        const result = await node.run(context);
        if (result.messages !== undefined) context.announce(toMessages(result.messages));
        task.result = result;
        end({ error: null, interrupts: [], result });
        return undefined;
      } catch (error) {
        const thrown = error instanceof Error ? error : new Error(String(error));
        if (this.#scope.signal.aborted) return thrown;
        if (thrown instanceof GraphInterrupt) {
          task.interrupts = [thrown.interrupt];
          end({ error: null, interrupts: task.interrupts, result: null });
        } else {
          task.error = JSON.stringify({ message: thrown.message, name: thrown.name });
          // An answer that made the step fail is forgotten, so that the question can be answered again.
          task.answers = task.answers.slice(0, -1);
          end({ error: task.error, interrupts: task.interrupts, result: null });
        }
        return thrown;
      }
    });
    const results = await Promise.all(runs);
    if (runs.length > 0 && !this.#scope.signal.aborted) this.#checkpoints.updateTasks(checkpoint);
    return results;
  }

  #step(graph: Graph, from: Checkpoint, ns: readonly string[]): Checkpoint {
    const values = valuesAfter(from);
    const next = nextNodes(graph, from.tasks, values);
    return this.enter(nextCheckpoint(graph, from, this.#scope.runId, "loop", values, next), ns);
  }

  #stopped(checkpoint: Checkpoint, ns: readonly string[]): Ending {
    this.#scope.emit({ type: "interrupt", ns, interrupts: pendingInterrupts(checkpoint) });
    return { checkpoint, stopped: true };
  }

  #keepPartial(graph: Graph, from: Checkpoint, contexts: readonly StepContext[]): void {
    const said = contexts.flatMap((context) => context.partial());
    const values = applyUpdate(valuesAfter(from), { messages: said });
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
        const { checkpoint: last } = await this.run(inner, first, innerNs, outer ?? context);
        const [question] = pendingInterrupts(last);
        if (question !== undefined) throw new GraphInterrupt(question);
        return last.values;
      },
    });
    return context;
  }
}

function stopsAt(nodes: Breakpoints["before"], tasks: readonly Task[]): boolean {
  return tasks.some(({ name }) => nodes === "*" || nodes.includes(name));
}
