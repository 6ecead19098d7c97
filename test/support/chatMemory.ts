/** What a window knows of a chat backend, as tests need it. */

import { Capabilities } from "../../src/api/capabilities.ts";
import { ChatMemory } from "../../src/editor/threads/servers/chatMemory.ts";
import type { ChatMemoryParts } from "../../src/editor/threads/servers/chatMemory.ts";
import { CreatedThreads } from "../../src/editor/threads/servers/createdThreads.ts";
import { TestMemento } from "./testMemento.ts";

/** A memory that remembers nothing yet, but for the parts that are given. */
export function chatMemory(parts: Partial<ChatMemoryParts> = {}): ChatMemory {
  return new ChatMemory({
    capabilities: new Capabilities(),
    created: new CreatedThreads(new TestMemento(), "c", "http://127.0.0.1"),
    onLost: () => undefined,
    now: Date.now,
    ...parts,
  });
}
