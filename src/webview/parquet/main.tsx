import { render } from "preact";

import { TablePage } from "./tablePage.tsx";
import { post, receive, remember, remembered } from "./tableHost.ts";
import { TableStore } from "./tableStore.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const store = new TableStore({ post, save: remember, draw }, remembered());
receive((message) => store.receive(message));
draw();
post({ type: "ready" });

function draw(): void {
  if (root !== null) render(<TablePage store={store} view={store.view} />, root);
}
