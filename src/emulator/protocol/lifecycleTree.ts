import { isObject } from "../kit/json.ts";

/** The status of a graph or of a step. */
export type LifecycleStatus = "running" | "started" | "completed" | "failed" | "interrupted";

/** A node of the tree of what runs. */
export interface TreeNode {
  readonly namespace: readonly string[];
  readonly status: LifecycleStatus;
  readonly graph_name: string;
  readonly children?: readonly TreeNode[];
}

/** A graph or a step that has begun. */
export interface LifecycleNode {
  readonly namespace: readonly string[];
  readonly name: string;
  readonly status: LifecycleStatus;
}

/** What has run in a run so far, by its lifecycle events. */
export class LifecycleTree {
  readonly #nodes = new Map<string, LifecycleNode>();

  /** The nodes that have begun and not ended, the innermost first. */
  get open(): LifecycleNode[] {
    return [...this.#nodes.values()].reverse().filter(({ status }) => status === "started");
  }

  at(namespace: readonly string[]): LifecycleNode | undefined {
    return this.#nodes.get(keyOf(namespace));
  }

  move(begun: LifecycleNode): void {
    this.#nodes.set(keyOf(begun.namespace), begun);
  }

  /** Takes up a frame of a stored stream: a run that begins takes the place of the one before it. */
  replay(frame: string): void {
    const event: unknown = JSON.parse(frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length));
    if (!isObject(event) || !isObject(event.params) || !isObject(event.params.data)) return;
    const namespace = event.params.namespace as readonly string[];
    const { event: status, graph_name } = event.params.data;
    const begun = { namespace, name: String(graph_name), status: status as LifecycleStatus };
    if (namespace.length === 0) {
      if (begun.status === "running") this.#nodes.clear();
      else for (const open of this.open) this.move({ ...open, status: begun.status });
    }
    this.move(begun);
  }

  /** Everything in and below a namespace; undefined when nothing has begun there. */
  node(namespace: readonly string[] = []): TreeNode | undefined {
    const begun = this.at(namespace);
    if (begun === undefined) return undefined;
    const children = [...this.#nodes.values()]
      .filter((other) => other.namespace.length === namespace.length + 1)
      .filter((other) => namespace.every((segment, index) => other.namespace[index] === segment))
      .flatMap((other) => this.node(other.namespace) ?? []);
    return {
      namespace,
      status: begun.status,
      graph_name: begun.name,
      ...(children.length === 0 ? {} : { children }),
    };
  }
}

/** A namespace as one text. */
export function keyOf(namespace: readonly string[]): string {
  return namespace.join("|");
}
