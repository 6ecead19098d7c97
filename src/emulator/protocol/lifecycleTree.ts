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
export interface Place {
  readonly namespace: readonly string[];
  readonly name: string;
  readonly status: LifecycleStatus;
}

/** What has run in a run so far, by its lifecycle events. */
export class LifecycleTree {
  readonly #places = new Map<string, Place>();

  /** The places that have begun and not ended, the innermost first. */
  get open(): Place[] {
    return [...this.#places.values()].reverse().filter(({ status }) => status === "started");
  }

  place(namespace: readonly string[]): Place | undefined {
    return this.#places.get(keyOf(namespace));
  }

  move(place: Place): void {
    this.#places.set(keyOf(place.namespace), place);
  }

  /** Takes up a frame of a stored stream: a run that begins takes the place of the one before it. */
  replay(frame: string): void {
    const event: unknown = JSON.parse(frame.slice(frame.indexOf("\ndata: ") + "\ndata: ".length));
    if (!isObject(event) || !isObject(event.params) || !isObject(event.params.data)) return;
    const namespace = event.params.namespace as readonly string[];
    const { event: status, graph_name } = event.params.data;
    const place = { namespace, name: String(graph_name), status: status as LifecycleStatus };
    if (namespace.length === 0) {
      if (place.status === "running") this.#places.clear();
      else for (const open of this.open) this.move({ ...open, status: place.status });
    }
    this.move(place);
  }

  /** Everything in and below a namespace; undefined when nothing has begun there. */
  node(namespace: readonly string[] = []): TreeNode | undefined {
    const place = this.place(namespace);
    if (place === undefined) return undefined;
    const children = [...this.#places.values()]
      .filter((other) => other.namespace.length === namespace.length + 1)
      .filter((other) => namespace.every((segment, index) => other.namespace[index] === segment))
      .flatMap((other) => this.node(other.namespace) ?? []);
    return {
      namespace,
      status: place.status,
      graph_name: place.name,
      ...(children.length === 0 ? {} : { children }),
    };
  }
}

/** A namespace as one text. */
export function keyOf(namespace: readonly string[]): string {
  return namespace.join("|");
}
