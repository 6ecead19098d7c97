/** The questions and breakpoints of a thread that are known, in the order in which they were told. */

import type { Interrupt } from "../../../api/agentServer/wire.ts";
import { sameJson } from "../../json/json.ts";
import type { InterruptDraft } from "./interruptDraft.ts";
import type { Section } from "./ledger.ts";

/** Finds each of them again. */
export class KnownQuestions {
  readonly all: InterruptDraft[] = [];

  byId(id: string): InterruptDraft | undefined {
    return this.all.find((draft) => draft.id === id);
  }

  /** The newest question that says the same, of those that are meant. */
  find(
    { id, value }: Interrupt,
    isMeant: (draft: InterruptDraft) => boolean = () => true,
  ): InterruptDraft | undefined {
    return this.all.findLast(
      (draft) =>
        draft.next === undefined && draft.serverId === id && sameJson(draft.value, value) && isMeant(draft),
    );
  }

  /** Servers give the questions that one node asks one after the other the same id. */
  newId(section: Section, { id }: Interrupt): string {
    for (let count = id === undefined ? this.all.length : 0; ; count++) {
      const name = id === undefined ? `interrupt:${section.key}:${count}` : `interrupt:${id}`;
      const free = id === undefined || count === 0 ? name : `${name}:${count}`;
      if (this.byId(free) === undefined) return free;
    }
  }

  remove(draft: InterruptDraft): void {
    this.all.splice(this.all.indexOf(draft), 1);
  }
}
