/** The run panel's page: its copy of the panel (snapshots and patches in, one immutable view per painted frame out), and what it is made of. */

import { render } from "preact";
import { useCallback, useMemo, useState } from "preact/hooks";

import { lastFailure, type Landmark } from "../run/panel/landmarks.ts";
import type { Earlier, ToWebview } from "../run/panel/messages.ts";
import type { Entry } from "../run/panel/transcript.ts";
import { TranscriptCopy } from "../run/panel/transcriptCopy.ts";
import { Announcer, type PanelView } from "./announcer.tsx";
import { Boundary } from "./boundary.tsx";
import { Composer } from "./composer/composer.tsx";
import { Button } from "./controls/button.tsx";
import { FileLinksContext } from "./controls/fileLinks.tsx";
import { SourceContext } from "./controls/openCode.tsx";
import { Events } from "./events/events.tsx";
import { Header, showGraph, toggleTimeline } from "./header.tsx";
import { UnsupportedContext } from "./interrupt/interruptCard.tsx";
import { AssistantsContext } from "./kit/assistants.ts";
import { confirmArrivals, post, receive, useReceived } from "./kit/host.ts";
import { keepFocusOverQuestions } from "./kit/keptFocus.ts";
import { loadedLater } from "./kit/loadedLater.tsx";
import { memory } from "./kit/memory.ts";
import { setServerTime } from "./kit/serverTime.ts";
import { isRunning } from "./kit/sessionState.ts";
import { Empty, Failure, Loading, Refusal } from "./placeholder.tsx";
import { type Course, CourseContext } from "./repair/courseActions.tsx";
import { Stranded } from "./repair/stranded.tsx";
import { type Leading, useOpenQuestions } from "./transcript/landmarks.ts";
import type { Finding } from "./transcript/searching.tsx";
import { Transcript } from "./transcript/transcript.tsx";

const GraphView = loadedLater(
  "The graph view",
  async () => (await import("./graph/graphView.tsx")).GraphView,
);
const Timeline = loadedLater("The timeline", async () => (await import("./timeline/timeline.tsx")).Timeline);

/** Applies what arrived once per animation frame, so that a burst of patches costs one paint. */
class PanelStore {
  #view: PanelView = { state: undefined, entries: [], newest: (entry) => entry, events: 0, version: 0 };
  #transcript = new TranscriptCopy();
  #revision = -1;
  #waitsForSnapshot = false;
  #arrived: ToWebview[] = [];
  /** Whether the next frame draws. */
  #due = false;
  readonly #draw: (view: PanelView) => void;

  constructor(draw: (view: PanelView) => void) {
    this.#draw = draw;
  }

  /** What is shown now. */
  get view(): PanelView {
    return this.#view;
  }

  /** Takes a message; it is on the screen after the next frame. */
  receive(message: ToWebview): void {
    this.#arrived.push(message);
    this.redraw();
  }

  /** Draws in the next frame, also when nothing arrived. */
  redraw(): void {
    if (this.#due) return;
    this.#due = true;
    requestAnimationFrame(() => this.#paint());
  }

  /** Forgets everything and asks the host for the whole state, after a failure of this page. */
  restart(): void {
    this.#revision = -1;
    this.#waitsForSnapshot = true;
    post({ type: "ready" });
  }

  #paint(): void {
    this.#due = false;
    const messages = this.#arrived;
    this.#arrived = [];
    const before = this.#revision;
    for (const message of messages) this.#apply(message);
    this.#draw(this.view);
    if (this.#revision === before || this.#waitsForSnapshot) return;
    const painted = this.#revision;
    setTimeout(() => post({ type: "painted", revision: painted }));
  }

  #apply(message: ToWebview): void {
    if (message.type === "snapshot" || message.type === "state") setServerTime(message.state);
    if (message.type === "snapshot") {
      this.#transcript = new TranscriptCopy(message.entries);
      this.#revision = message.revision;
      this.#waitsForSnapshot = false;
      this.#show(message.state.events, message.state);
    } else if (message.type === "state") {
      this.#view = { ...this.#view, state: message.state, events: message.state.events };
    } else if (message.type === "patch" && !this.#waitsForSnapshot && message.revision > this.#revision) {
      if (message.revision !== this.#revision + 1) {
        this.restart();
        return;
      }
      this.#revision = message.revision;
      this.#transcript.apply(message.patch);
      this.#show(message.events);
    }
  }

  #show(events: number, state = this.#view.state): void {
    const transcript = this.#transcript;
    const newest = (entry: Entry) => transcript.newest(entry);
    this.#view = { state, entries: transcript.entries, newest, events, version: this.#view.version + 1 };
  }
}

/** The whole run panel for one painted frame. */
function Page({ view }: { readonly view: PanelView }) {
  const { state, entries } = view;
  const [target, setTarget] = useState<number>();
  const onTarget = useCallback(() => setTarget(undefined), []);
  const [leading, leadTo] = useLandmark();
  const [caretWanted, onCaret] = useCaret();
  const questions = useOpenQuestions(entries);
  const course = useCourse(view);
  const goToWaiting = useCallback(() => leadTo("waiting"), [leadTo]);
  const goToEntry = useCallback((entry: string) => leadTo({ entry }), [leadTo]);
  const failure = useMemo(() => lastFailure(entries)?.id, [entries]);
  const [finding, find] = useFinding(entries.length > 0);
  useReceived((message) => {
    if (message.type === "timeline") toggleTimeline();
    if (message.type === "showGraph") showGraph(message.assistantId);
  }, []);
  const tab = memory.get("tab");
  const timeline = memory.get("timeline");
  if (state === undefined) return <Loading />;
  const showEvent = (index: number) => {
    memory.set("search", "");
    setTarget(index);
    memory.set("tab", "events");
  };
  return (
    <div class="page">
      <Header
        state={state}
        events={view.events}
        tab={tab}
        timeline={timeline}
        waits={questions.length > 0}
        onWaiting={goToWaiting}
        failure={failure}
        onFailure={goToEntry}
        onSearch={find}
      />
      <Failure session={state.session} />
      <Stranded state={state} />
      <Refusal />
      <SourceContext.Provider value={state.hasSource === true}>
        <FileLinksContext.Provider value={true}>
          <main>
            <div id="view" class="view" role="tabpanel" aria-labelledby={`tab-${tab}`}>
              {tab === "events" ? (
                <Events total={view.events} target={target} onTarget={onTarget} />
              ) : tab === "graph" ? (
                <GraphView state={state} entries={entries} onStep={goToEntry} />
              ) : entries.length > 0 ? (
                <UnsupportedContext.Provider value={state.unsupported}>
                  <AssistantsContext.Provider value={state.assistants}>
                    <EarlierSteps earlier={state.earlier} />
                    {timeline !== "hidden" && (
                      <Timeline entries={entries} prices={state.prices} onRow={goToEntry} />
                    )}
                    <CourseContext.Provider value={course}>
                      <Transcript
                        entries={entries}
                        newest={view.newest}
                        leading={leading}
                        finding={finding}
                        earlier={state.earlier}
                        onEvent={showEvent}
                      />
                    </CourseContext.Provider>
                  </AssistantsContext.Provider>
                </UnsupportedContext.Provider>
              ) : state.session.kind === "loading" ? (
                <Loading />
              ) : state.session.kind === "failed" ? null : (
                <Empty assistants={state.assistants} />
              )}
            </div>
          </main>
        </FileLinksContext.Provider>
      </SourceContext.Provider>
      <Composer
        state={state}
        questions={questions}
        onQuestion={goToWaiting}
        caretWanted={caretWanted}
        onCaret={onCaret}
      />
      <Announcer view={view} />
    </div>
  );
}

/** Whether the course of the thread can be changed now; the same object as long as that does not change. */
function useCourse({ state, entries }: PanelView): Course {
  const lastRun = useMemo(() => entries.findLast((entry) => entry.kind === "run")?.runId, [entries]);
  const isOpen = state !== undefined && !isRunning(state.session) && !state.unsupported.includes("repair");
  return useMemo(() => ({ isOpen, lastRun }), [isOpen, lastRun]);
}

/** Says that there is more to read of earlier runs. */
function EarlierSteps({ earlier }: { readonly earlier: Earlier }) {
  if (earlier === "none") return null;
  return (
    <div class="earlier" role="status">
      <span class="fact">Steps of earlier runs are not loaded.</span>
      <Button kind="link" disabled={earlier === "reading"} onClick={() => post({ type: "readEarlier" })}>
        {earlier === "reading" ? "Loading earlier steps…" : "Load Earlier Steps"}
      </Button>
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
    (message) => {
      if (message.type === "goTo") leadTo(message.landmark);
    },
    [leadTo],
  );
  return [{ landmark, onReached }, leadTo];
}

/** Whether the reader searches the transcript, and how to begin; the events have a search of their own. */
function useFinding(hasEntries: boolean): readonly [Finding, () => void] {
  const [asked, setAsked] = useState(0);
  const onClose = useCallback(() => setAsked(0), []);
  const find = useCallback(() => {
    if (memory.get("tab") === "events") {
      document.querySelector<HTMLElement>(".search-line input")?.focus();
      return;
    }
    // Else it would open, and take the caret, whenever the first entry comes.
    if (!hasEntries) return;
    memory.set("tab", "transcript");
    setAsked((before) => before + 1);
  }, [hasEntries]);
  useReceived(
    ({ type }) => {
      if (type === "search") find();
    },
    [find],
  );
  return [useMemo(() => ({ asked, onClose }), [asked, onClose]), find];
}

/** Whether the host asked for the caret in the composer, which may not be drawn yet, until it is there. */
function useCaret(): readonly [boolean, () => void] {
  const [wanted, setWanted] = useState(false);
  const onCaret = useCallback(() => setWanted(false), []);
  useReceived(({ type }) => {
    if (type === "focusComposer" || type === "fill") setWanted(true);
  }, []);
  return [wanted, onCaret];
}

function draw(view: PanelView): void {
  if (root === null) return;
  render(
    <Boundary version={view.version} onReload={() => store.restart()}>
      <Page view={view} />
    </Boundary>,
    root,
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const store = new PanelStore(draw);
receive((message) => store.receive(message));
confirmArrivals();
keepFocusOverQuestions();
memory.onChange(() => store.redraw());
draw(store.view);
post({ type: "ready" });
