/** The page of a Parquet file's table: how it starts, and its messages to and from the extension host. */

import { render } from "preact";

import type { ToTable } from "../../table/messages.ts";
import { hostApi, receiveKnown } from "../kit/host.ts";
import { TablePage } from "./tablePage.tsx";
import { TableStore } from "./tableStore.ts";
import type { TableMemory } from "./tableView.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const known: Readonly<Record<ToTable["type"], true>> = {
  table: true,
  failed: true,
  cells: true,
  cell: true,
  cellFailed: true,
  arranging: true,
  arranged: true,
  notArranged: true,
  copied: true,
  found: true,
  findEnded: true,
  findFailed: true,
};
const host = hostApi();
const store = new TableStore(
  { post: (request) => host.postMessage(request), save: (memory) => host.setState(memory), draw },
  host.getState() as TableMemory | undefined,
);
receiveKnown<ToTable>(known, (message) => store.receive(message));
// Also where nothing on the page has the focus.
document.addEventListener("keydown", (event) => {
  const isFind = event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isFind || (event.key === "F3" && store.find.asked === 0)) store.find.open();
  else if (event.key === "F3") store.find.next(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
});
draw();
host.postMessage({ type: "ready" });

function draw(): void {
  if (root !== null) render(<TablePage store={store} view={store.view} />, root);
}
