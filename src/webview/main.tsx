/** The run panel's page: what it is made of, and how it starts. */

import { render } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";

import { Announcer } from "./announcer.tsx";
import { Boundary } from "./boundary.tsx";
import { Composer } from "./composer/composer.tsx";
import { Events } from "./events/events.tsx";
import { Header } from "./header.tsx";
import { UnsupportedContext } from "./interrupt/interruptCard.tsx";
import { post, receive, useReceived } from "./kit/host.ts";
import { memory } from "./kit/memory.ts";
import { Empty, Failure, Loading, Refusal } from "./placeholder.tsx";
import { PanelStore, type PanelView } from "./store.ts";
import { waitsIn, type Landmark, type Leading } from "./transcript/landmarks.ts";
import { Transcript } from "./transcript/transcript.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const store = new PanelStore(draw);
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

/** The whole run panel for one painted frame. */
function Page({ view }: { readonly view: PanelView }) {
  const { state, entries } = view;
  const [target, setTarget] = useState<number>();
  const [leading, leadTo] = useLandmark();
  const [caretWanted, onCaret] = useCaret();
  const waits = useMemo(() => waitsIn(entries), [entries]);
  const goToWaiting = useCallback(() => leadTo("waiting"), [leadTo]);
  const tab = memory.get("tab");
  if (state === undefined) return <Loading />;
  const showEvent = (index: number) => {
    memory.set("search", "");
    setTarget(index);
    memory.set("tab", "events");
  };
  return (
    <div class="page">
      <Header state={state} events={view.events} tab={tab} waits={waits} onWaiting={goToWaiting} />
      <Failure session={state.session} />
      <Refusal />
      <main>
        <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "events" ? (
            <Events total={view.events} target={target} />
          ) : entries.length > 0 ? (
            <UnsupportedContext.Provider value={state.unsupported}>
              <Transcript entries={entries} leading={leading} onEvent={showEvent} />
            </UnsupportedContext.Provider>
          ) : state.session.kind === "loading" ? (
            <Loading />
          ) : state.session.kind === "failed" ? null : (
            <Empty assistants={state.assistants} />
          )}
        </div>
      </main>
      <Composer state={state} caretWanted={caretWanted} onCaret={onCaret} />
      <Announcer view={view} />
    </div>
  );
}

/** Where the reader is to be led, until the transcript has been there; the host may ask for it, too. */
function useLandmark(): readonly [Leading, (landmark: Landmark) => void] {
  const [landmark, setLandmark] = useState<Landmark>();
  const onReached = useCallback(() => setLandmark(undefined), []);
  const leadTo = useCallback((wanted: Landmark) => {
    memory.set("tab", "transcript");
    setLandmark(wanted);
  }, []);
  useReceived(
    ({ type }) => {
      if (type === "focusLastMessage") leadTo("last");
    },
    [leadTo],
  );
  return [{ landmark, onReached }, leadTo];
}

/** Whether the host asked for the caret in the composer, which may not be drawn yet, until it is there. */
function useCaret(): readonly [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  const onCaret = useCallback(() => setWanted(false), []);
  useReceived(({ type }) => {
    if (type === "focusComposer") setWanted(true);
  }, []);
  return [wanted, onCaret];
}
