import { render } from "preact";

import { Boundary } from "./boundary.tsx";
import { post, receive } from "./host.ts";
import { memory } from "./memory.ts";
import { Page } from "./page.tsx";
import { PanelStore, type PanelView } from "./store.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const store = new PanelStore(
  {
    askSnapshot: () => post({ type: "ready" }),
    acknowledge: (revision) => post({ type: "painted", revision }),
  },
  draw,
);
receive((message) => store.receive(message));
memory.onChange(() => store.redraw());
draw(store.view);
post({ type: "ready" });

function draw(view: PanelView): void {
  if (root === null) return;
  render(
    <Boundary version={view.version} onReload={() => store.restart()}>
      <Page view={view} />
    </Boundary>,
    root,
  );
}
