import { useCallback, useLayoutEffect, useMemo, useState } from "preact/hooks";

import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer/composer.tsx";
import { Events } from "./events/events.tsx";
import { Header } from "./header.tsx";
import { receive } from "./host.ts";
import { UnsupportedContext } from "./unsupported.ts";
import { waitsIn, type Landmark } from "./landmarks.ts";
import { memory } from "./memory.ts";
import { Empty, Failure, Loading } from "./placeholder.tsx";
import { Refusal } from "./refusal.tsx";
import type { PanelView } from "./store.ts";
import type { Leading } from "./transcript/leading.ts";
import { Transcript } from "./transcript/transcript.tsx";

/** The whole run panel for one painted frame. */
export function Page({ view }: { readonly view: PanelView }) {
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
      <Failure activity={state.activity} />
      <Refusal />
      <main>
        <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
          {tab === "events" ? (
            <Events total={view.events} target={target} />
          ) : entries.length > 0 ? (
            <UnsupportedContext.Provider value={state.unsupported}>
              <Transcript entries={entries} leading={leading} onEvent={showEvent} />
            </UnsupportedContext.Provider>
          ) : state.activity.kind === "loading" ? (
            <Loading />
          ) : state.activity.kind === "failed" ? null : (
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
  useLayoutEffect(
    () =>
      receive((message) => {
        if (message.type === "focusLastMessage") leadTo("last");
      }),
    [leadTo],
  );
  return [{ landmark, onReached }, leadTo];
}

/** Whether the host asked for the caret in the composer, which may not be drawn yet, until it is there. */
function useCaret(): readonly [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  const onCaret = useCallback(() => setWanted(false), []);
  useLayoutEffect(
    () =>
      receive((message) => {
        if (message.type === "focusComposer") setWanted(true);
      }),
    [],
  );
  return [wanted, onCaret];
}
