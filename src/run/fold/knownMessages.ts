/** The messages of a thread that are known, so that each is found again however it comes: by its id, else by its words. */

import type { ChatMessage } from "./chatMessage.ts";
import { contentText, type MessageDraft } from "./drafts/messageDraft.ts";
import { SaidMessages } from "./saidMessages.ts";
import type { LaneId } from "../panel/transcript.ts";

/** Which row shows a message. Servers tell some without an id, and make up another one each time that they tell them. */
export class KnownMessages {
  /** Messages that streams told first: servers make up an id of some each time that they tell them. */
  readonly streamed = new SaidMessages();
  readonly #byId = new Map<string, MessageDraft>();
  /** Messages whose id in the thread's state is not known yet. */
  readonly #unbound = new SaidMessages();
  /** What people gave to runs, and to which. */
  readonly #given = new Map<MessageDraft, string>();
  /** Messages that nodes returned without an id, by their task and their place in what it returned. */
  readonly #ofTasks = new Map<string, MessageDraft>();
  readonly #returned = new SaidMessages();
  /** Messages that nodes returned with an id, and that came into no state: it is the only one they have. */
  readonly #leftBehind = new WeakSet<MessageDraft>();

  get(id: string | undefined): MessageDraft | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Adds a new message; `streamed` means that it came from a stream. */
  add(draft: MessageDraft, id: string | undefined, streamed = false): void {
    if (streamed) this.streamed.add(draft);
    this.bind(draft, id);
  }

  /** Sets the id of a message, if the server sent one. */
  bind(draft: MessageDraft, id: string | undefined): void {
    if (draft.serverId !== undefined) return;
    if (id === undefined) this.#unbound.add(draft);
    else {
      draft.serverId = id;
      this.#unbound.delete(draft);
      this.#byId.set(id, draft);
    }
  }

  /** The draft of a message, if the transcript has it; messages without id by their words. */
  find(
    message: ChatMessage,
    lane: LaneId,
    runId: string | undefined,
    used?: ReadonlySet<MessageDraft>,
  ): MessageDraft | undefined {
    const known = this.get(message.id);
    if (known !== undefined) return known;
    if (used === undefined) {
      const same = this.#unbound.saying(message, lane);
      // What is told again by a stream may be known from the thread's history.
      const isNew = ({ confirmed, positionFrom }: MessageDraft): boolean =>
        !confirmed || message.id !== undefined || positionFrom === "history";
      const own = same.find((draft) => draft.runId === runId && isNew(draft));
      // What a person said to an earlier run is told again by a later one, with the id that it got meanwhile.
      const isRepeated = message.role === "human" && message.id !== undefined;
      return own ?? (isRepeated ? same[0] : undefined);
    }
    // What nodes returned without an id has another one in each state.
    const same = this.#unbound.saying(message, lane);
    const returned = this.#returned.saying(message, lane).filter((draft) => !this.#unbound.has(draft));
    // What earlier runs said without an id may have been left behind: it is in no state.
    const free = [...same, ...returned].filter((draft) => !used.has(draft));
    return free.find((draft) => draft.runId === free.at(-1)?.runId);
  }

  /**
   * A message in these words that the thread's history tells, of those that are not in the state at hand: it may have had
   * another id then.
   */
  keptSaying(message: ChatMessage, lane: LaneId, used: ReadonlySet<MessageDraft>): MessageDraft | undefined {
    const kept = [...this.#byId.values()].filter(
      (draft) => draft.positionFrom === "history" && draft.role !== "human" && !used.has(draft),
    );
    return saying(message, lane, kept).findLast((draft) => !this.#leftBehind.has(draft));
  }

  /** A message has other words now. */
  reworded(draft: MessageDraft): void {
    for (const known of [this.streamed, this.#unbound, this.#returned]) known.reworded(draft);
  }

  /** What a person gives to a run. */
  addGiven(runId: string, draft: MessageDraft, id: string | undefined): void {
    this.#given.set(draft, runId);
    this.bind(draft, id);
  }

  /**
   * A run was given this message. Where several runs were given the same text, the wrong row may stand for it: the
   * two are swapped. Returns a row that is of no use now.
   */
  giveTo(runId: string, message: ChatMessage): MessageDraft | undefined {
    const taken = this.get(message.id);
    if (taken === undefined || taken.runId === runId || taken.positionFrom === "history") return undefined;
    const given = [...this.#given.keys()].filter((draft) => this.#given.get(draft) === runId);
    const own = saying(message, "", given).find(({ positionFrom }) => positionFrom !== "history");
    if (own === undefined) return undefined;
    const { serverId: other } = own;
    for (const draft of [taken, own]) draft.serverId = undefined;
    this.bind(own, message.id);
    if (other === undefined && !this.#given.has(taken)) {
      this.remove(taken);
      return taken;
    }
    this.bind(taken, other);
    return undefined;
  }

  /** What a task returned without an id, if that was read before. */
  ofTask(task: string): MessageDraft | undefined {
    return this.#ofTasks.get(task);
  }

  /** The message that a stream of the run told in these words, of those that no task is known to have returned. */
  streamedIn(
    runId: string | undefined,
    message: ChatMessage,
    lane: LaneId,
    but: MessageDraft | undefined,
  ): MessageDraft | undefined {
    const same = [this.#unbound, this.streamed].flatMap((known) => known.saying(message, lane));
    return same.find(
      (draft) => draft.runId === runId && draft.streamed && draft !== but && !this.isReturned(draft),
    );
  }

  /** Whether a task is known to have returned it without an id. */
  isReturned(draft: MessageDraft): boolean {
    return this.#returned.has(draft);
  }

  /** A task returned it without an id: one that its stream told is made up. */
  returnedBy(task: string, draft: MessageDraft): void {
    this.#ofTasks.set(task, draft);
    this.#returned.add(draft);
  }

  /** A task returned it with an id, and no state has it. */
  leaveBehind(draft: MessageDraft): void {
    this.#leftBehind.add(draft);
  }

  /** What a task returned without an id has its own from now on. */
  named(task: string): void {
    const draft = this.#ofTasks.get(task);
    this.#ofTasks.delete(task);
    if (draft !== undefined && ![...this.#ofTasks.values()].includes(draft)) this.#returned.delete(draft);
  }

  /** Takes back the id by which a message was told: it was made up. */
  unbind(draft: MessageDraft): void {
    this.remove(draft);
    draft.serverId = undefined;
    this.#unbound.add(draft);
  }

  /** A message turns out to be another one. */
  remove(draft: MessageDraft): void {
    this.#unbound.delete(draft);
    this.streamed.delete(draft);
    if (this.get(draft.serverId) === draft) this.#byId.delete(draft.serverId ?? "");
  }
}

/** The messages of a few with the same words, the oldest first. */
function saying(
  { role, content }: ChatMessage,
  lane: LaneId,
  among: readonly MessageDraft[],
): readonly MessageDraft[] {
  const text = contentText(content);
  return among.filter((draft) => draft.lane === lane && draft.role === role && draft.text === text);
}
