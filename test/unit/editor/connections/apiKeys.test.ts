import { deepEqual, equal } from "node:assert/strict";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { TestMemento } from "../../../support/testMemento.ts";
import "../fakeVscode.ts";

const { ApiKeys } = await import("../../../../src/editor/connections/apiKeys.ts");

const setting = (url: string): ConnectionSetting => ({ id: "c", name: "Sample", kind: "agentServer", url });
const home = setting("https://agents.test");

describe("The key of a connection", () => {
  let asked: string[] = [];
  let secrets = new Map<string, string>();
  let keys: InstanceType<typeof ApiKeys>;

  beforeEach(() => {
    asked = [];
    secrets = new Map();
    const storage = {
      get: async (name: string) => {
        asked.push(name);
        await Promise.resolve();
        return secrets.get(name);
      },
      store: (name: string, value: string) => Promise.resolve(void secrets.set(name, value)),
      delete: (name: string) => Promise.resolve(void secrets.delete(name)),
      onDidChange: () => ({ dispose: () => undefined }),
    };
    const made = [storage, new TestMemento(), { state: { kind: "stopped" } }];
    keys = new ApiKeys(...(made as unknown as ConstructorParameters<typeof ApiKeys>));
  });
  afterEach(() => keys.dispose());

  it("goes to the origins that it was entered for and to confirmed ones, and nowhere else", async () => {
    await keys.set("c", ["https://agents.test/api", "https://control.test"], "secret");
    await keys.allow("c", "https://new.test/threads");
    deepEqual(await keys.origins("c"), ["https://agents.test", "https://control.test", "https://new.test"]);
    equal(await keys.read(home, "https://agents.test/threads"), "secret");
    equal(await keys.read(home, "https://new.test/runs"), "secret");
    equal(await keys.read(home, "http://agents.test/threads"), undefined);
    equal(await keys.read(home, "https://agents.test:8443/threads"), undefined);
    await keys.forgetConfirmed("c");
    equal(await keys.read(home, "https://new.test/runs"), undefined);
  });

  it("is read at once for a request, each part of it once", async () => {
    await keys.set("c", ["https://agents.test"], "secret");
    asked = [];
    const reading = keys.read(home, "https://agents.test/threads");
    equal(asked.length, 2, "neither part waits for the other one");
    equal(await reading, "secret");
    equal(new Set(asked).size, 2);
    equal(asked.length, 2);
  });

  it("of version 0.1.0 was kept with the origins that were confirmed", async () => {
    secrets.set("agentOperations.apiKey.c", JSON.stringify({ origins: ["https://old.test"], key: "secret" }));
    equal(await keys.read(home, "https://old.test/threads"), "secret");
    equal(await keys.allows(home, "https://old.test/threads"), true);
    await keys.allow("c", "https://new.test");
    equal(await keys.allows(home, "https://old.test/threads"), true);
    await keys.clear("c");
    deepEqual(await keys.origins("c"), []);
    equal(await keys.allows(home, "https://new.test"), true, "what was confirmed stays without a key");
  });

  it("is said to be lost, of the environment, or of another address", async () => {
    equal(await keys.state(home), "none");
    await keys.set("c", ["https://agents.test"], "${env:NO_SUCH_VARIABLE_HERE}");
    equal(await keys.state(home), "envMissing");
    equal(await keys.read(home, "https://agents.test"), undefined);
    await keys.set("c", ["https://agents.test"], "secret");
    equal(await keys.state(home), "stored");
    equal(await keys.state(setting("https://moved.test")), "otherOrigin");
    secrets.clear();
    equal(await keys.state(home), "lost");
  });
});
