import { useEffect, useRef, useState } from "preact/hooks";

import type { Json } from "../../run/panel/messages.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { useKeptFocus } from "../kit/keptFocus.ts";
import { jsonNodes, type JsonNode } from "./jsonNodes.ts";

/** A JSON value that folds, by pointer and by the keys that trees have. */
export function JsonTree({ value }: { readonly value: Json }) {
  const tree = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set([""]));
  const [portions, setPortions] = useState<ReadonlyMap<string, number>>(new Map());
  const [active, setActive] = useState("");
  const nodes = jsonNodes(value, open, portions);

  const toggle = (node: JsonNode) => {
    setActive(node.id);
    if (node.kind === "more" && node.parent !== undefined) {
      const { parent } = node;
      const more = new Map(portions).set(parent, (portions.get(parent) ?? 0) + 1);
      const after = jsonNodes(value, open, more);
      // The last portion stands where this line was.
      if (after.every(({ id }) => id !== node.id)) setActive(after[nodes.indexOf(node)]?.id ?? "");
      setPortions(more);
    } else if (node.open !== undefined) {
      const next = new Set(open);
      if (node.open) next.delete(node.id);
      else next.add(node.id);
      setOpen(next);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = nodes.findIndex(({ id }) => id === active);
    const node = nodes[at] ?? nodes[0];
    if (node === undefined) return;
    const target = step(event.key, node, at, nodes);
    if (target === undefined) return;
    event.preventDefault();
    if (target === "toggle") toggle(node);
    else setActive(target);
  };
  useEffect(() => {
    const focused = tree.current?.contains(document.activeElement) === true;
    if (focused) tree.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  }, [active]);
  useKeptFocus(tree, () => tree.current?.querySelector<HTMLElement>("[tabindex='0']") ?? null);

  const current = nodes.some(({ id }) => id === active) ? active : "";
  return (
    <div ref={tree} class="json-tree" role="tree" aria-label="Value" onKeyDown={onKeyDown}>
      {nodes.map((node) => (
        <Line key={node.id} node={node} isCurrent={node.id === current} onToggle={() => toggle(node)} />
      ))}
    </div>
  );
}

interface LineProps {
  readonly node: JsonNode;
  readonly isCurrent: boolean;
  readonly onToggle: () => void;
}

function Line({ node, isCurrent, onToggle }: LineProps) {
  return (
    <div
      class="json-node"
      role="treeitem"
      aria-level={node.level}
      aria-expanded={node.open}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      style={{ paddingInlineStart: `${(node.level - 1) * 16 + 4}px` }}
      onClick={onToggle}
    >
      <span class="json-fold">
        {node.open !== undefined && <Icon name={node.open ? "chevron-down" : "chevron-right"} />}
      </span>
      {node.name !== "" && (
        <span class="json-name">
          <Literal text={node.name} />:
        </span>
      )}{" "}
      <span class={`json-${node.kind}`}>
        <Literal text={node.text} />
      </span>
    </div>
  );
}

/** The id of the line that a key leads to, or that it folds or unfolds this one. */
function step(key: string, node: JsonNode, at: number, nodes: readonly JsonNode[]): string | undefined {
  const below = nodes[at + 1]?.id;
  const steps: ReadonlyMap<string, string | undefined> = new Map([
    ["ArrowDown", below],
    ["ArrowUp", nodes[at - 1]?.id],
    ["Home", nodes[0]?.id],
    ["End", nodes.at(-1)?.id],
    ["ArrowRight", node.open === false ? "toggle" : node.open === true ? below : undefined],
    ["ArrowLeft", node.open === true ? "toggle" : node.parent],
    ["Enter", "toggle"],
    [" ", "toggle"],
  ]);
  return steps.get(key);
}
