import { useState } from "preact/hooks";

import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer/composer.tsx";
import { Events } from "./events/events.tsx";
import { Header } from "./header.tsx";
import { memory } from "./memory.ts";
import { Empty, Failure, Loading } from "./placeholder.tsx";
import { Refusal } from "./refusal.tsx";
import type { PanelView } from "./store.ts";
import { Transcript } from "./transcript/transcript.tsx";

/** The whole run panel for one painted frame. */
export function Page({ view }: { readonly view: PanelView }) {
  const { state } = view;
  const [target, setTarget] = useState<number>();
  const tab = memory.get("tab");
  if (state === undefined) return <Loading />;
  const showEvent = (index: number) => {
    memory.set("search", "");
    setTarget(index);
    memory.set("tab", "events");
  };
  return (
    <div class="page">
      <Header state={state} events={view.events} tab={tab} />
      <Failure activity={state.activity} />
      <Refusal />
      <main>
        <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "events" ? (
            <Events total={view.events} target={target} />
          ) : view.entries.length > 0 ? (
            <Transcript entries={view.entries} onEvent={showEvent} />
          ) : state.activity.kind === "loading" ? (
            <Loading />
          ) : state.activity.kind === "failed" ? null : (
            <Empty assistants={state.assistants} />
          )}
        </div>
      </main>
      <Composer state={state} />
      <Announcer view={view} />
    </div>
  );
}
