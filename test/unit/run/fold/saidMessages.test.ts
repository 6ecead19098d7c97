import { strict as assert } from "node:assert";
import { chatMessage, type ChatMessage } from "../../../../src/run/fold/chatMessage.ts";
import { MessageDraft } from "../../../../src/run/fold/drafts/messageDraft.ts";
import { SaidMessages } from "../../../../src/run/fold/saidMessages.ts";

let looks = 0;

class Watched extends MessageDraft {
  override get text(): string {
    looks += 1;
    return super.text;
  }
}

function draftOf(id: string, text: string): MessageDraft {
  const draft = new Watched(id, "ai", "", "r");
  draft.extend(text);
  return draft;
}

const says = (content: string): ChatMessage => chatMessage({ type: "ai", content })!;
const ids = (drafts: readonly MessageDraft[]): readonly string[] => drafts.map(({ id }) => id);

describe("messages that are known by their words", () => {
  it("are found without a look at all others", () => {
    const said = new SaidMessages();
    const many = Array.from({ length: 500 }, (_, at) => String(at));
    for (const text of many) said.add(draftOf(text, text));
    looks = 0;
    for (const text of many) assert.deepEqual(ids(said.saying(says(text), "")), [text]);
    assert.equal(looks, 500);
  });

  it("are found by the words that they have now, the oldest first", () => {
    const said = new SaidMessages();
    const [first, second, third] = [draftOf("1", "Hel"), draftOf("2", "Hello"), draftOf("3", "Hello")];
    for (const draft of [first, second, third]) said.add(draft);
    assert.deepEqual(ids(said.saying(says("Hello"), "")), ["2", "3"]);
    first.extend("lo");
    said.reworded(first);
    assert.deepEqual(ids(said.saying(says("Hello"), "")), ["1", "2", "3"]);
    assert.deepEqual(ids(said.saying(says("Hel"), "")), []);
    said.delete(second);
    assert.deepEqual(ids(said.saying(says("Hello"), "")), ["1", "3"]);
    assert.deepEqual(ids(said.saying(says("Hello"), "web:1")), []);
  });
});
