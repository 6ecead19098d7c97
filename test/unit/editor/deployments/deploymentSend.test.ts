import { deepEqual, match, rejects } from "node:assert/strict";
import type { ConnectionSetting } from "../../../../src/editor/connections/connection.ts";
import { changeOf } from "../../../../src/editor/deployments/drafts/deploymentChange.ts";
import type { Services } from "../../../../src/editor/services.ts";
import { editor } from "../fakeVscode.ts";

const { updateDeployment } = await import("../../../../src/editor/commands/deployments/deploymentSend.ts");

const production: ConnectionSetting = {
  id: "p",
  name: "Production",
  kind: "platform",
  url: "https://agents.test",
  protected: "click",
};
const source = { source_config: { build_on_push: false }, source_revision_config: { repo_ref: "main" } };
const deployment = {
  id: "0a1b",
  name: "support",
  source: "github" as const,
  ...source,
  secrets: [{ name: "TOKEN" }],
} as unknown as Parameters<typeof changeOf>[0];

describe("The last question before a deployment is changed", () => {
  beforeEach(() => {
    for (const list of [editor.asked, editor.replies, editor.confirmations, editor.pressed]) list.length = 0;
  });

  it("has a row for each thing that changes or stays, so that none is cut", async () => {
    const draft = { name: "support", source_revision_config: { repo_ref: "next" } };
    await rejects(ask(draft));
    deepEqual(editor.asked.at(-1)?.labels, [
      "$(cloud-upload) Update, with a new revision",
      "$(edit) Keep editing",
      "$(diff-modified) source_revision_config.repo_ref",
      "$(dash) source_config.build_on_push",
      "$(dash) secrets",
    ]);
  });

  it("says it once more where the connection is protected", async () => {
    editor.replies.push("$(cloud-upload) Update, with a new revision");
    await rejects(ask({ name: "support", source_revision_config: { repo_ref: "next" } }));
    match(
      editor.confirmations.join(),
      /Changes source_revision_config\.repo_ref; left out and so kept: source_config\.build_on_push, secrets/,
    );
  });

  it("offers a revision of the same source where nothing differs", async () => {
    await rejects(ask({ name: "support", ...source, secrets: [{ name: "TOKEN" }] }));
    deepEqual(editor.asked.at(-1)?.labels, [
      "$(cloud-upload) Deploy the same source again, with a new revision",
      "$(edit) Keep editing",
    ]);
  });

  /** Asks; nobody answers but by the replies that wait. */
  function ask(draft: Parameters<typeof changeOf>[1]): Promise<unknown> {
    const change = changeOf(deployment, draft);
    const services = {} as Services;
    return updateDeployment(services, { connection: production, draft }, { deployment, change, text: "" });
  }
});
