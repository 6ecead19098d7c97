import { deepEqual, equal } from "node:assert/strict";
import type { SourceRevisionConfig } from "../../../../src/api/controlPlane/wire.ts";
import type { DeploymentFacts } from "../../../../src/editor/deployments/deploymentFacts.ts";
import { stateOf } from "../../../../src/editor/deployments/deploymentState.ts";
import { sourceOf, versionOf } from "../../../../src/editor/deployments/version.ts";

describe("A version", () => {
  const digest = "sha256:6c3c624b58dbbcd3c0dd82b4c53f04194d1247c6eebdaab7c610cf7d66709b3b";
  const cases: readonly (readonly [string, SourceRevisionConfig | null, string | undefined])[] = [
    ["is an image's tag", { image_uri: "registry.test:5000/team/bot:1.4.2" }, "1.4.2"],
    ["is the start of its digest without a tag", { image_uri: `registry.test/bot@${digest}` }, "@6c3c624"],
    ["is its tag although it has a digest", { image_uri: `bot:2@${digest}` }, "2"],
    ["is its name without either, also with a port", { image_uri: "registry.test:5000/bot" }, "bot"],
    [
      "is a branch with the start of its commit",
      { repo_ref: "main", repo_commit_sha: "1a2b3c4d5e6f" },
      "main@1a2b3c4",
    ],
    ["is a tag of a repository", { repo_ref: "refs/tags/v1.0.0" }, "v1.0.0"],
    ["names a commit once", { repo_ref: "1a2b3c4d5e6f", repo_commit_sha: "1a2b3c4d5e6f" }, "1a2b3c4d5e6f"],
    ["is the file of an archive", { source_tarball_path: "/uploads/9/bot.tar.gz" }, "bot.tar.gz"],
    ["is none of nothing", { repo_ref: "", image_uri: null }, undefined],
    ["is none of no configuration", null, undefined],
  ];
  for (const [name, config, version] of cases) it(name, () => equal(versionOf(config), version));

  it("is told with all of its source where there is room", () => {
    equal(sourceOf({ image_uri: "registry.test/bot:1" }), "registry.test/bot:1");
    equal(sourceOf({ repo_ref: "refs/heads/main" }), "main");
  });
});

describe("The state of a deployment", () => {
  const facts = (status: string | null, latest?: string, active: string | null = "r1"): DeploymentFacts => ({
    id: "d",
    origin: "listed",
    deployment: { id: "d", status, latest_revision_id: "r2", active_revision_id: active },
    latest: latest === undefined ? undefined : { id: "r2", status: latest },
  });
  const cases: readonly (readonly [string, DeploymentFacts, string, string])[] = [
    ["is told by no word where all is well", facts("READY", "DEPLOYED", "r2"), "serving", ""],
    [
      "has failed with its latest revision, although another one serves",
      facts("READY", "DEPLOY_FAILED"),
      "failed",
      "deploy failed, serves the one before",
    ],
    ["has failed where nothing serves", facts("READY", "BUILD_FAILED", null), "failed", "build failed"],
    [
      "is on its way by its latest revision",
      facts("AWAITING_DATABASE", "CREATING", null),
      "pending",
      "creating",
    ],
    ["is on its way by itself", facts("AWAITING_DELETE", "DEPLOYED", "r2"), "pending", "awaiting delete"],
    ["is not in use", facts("UNUSED", undefined, null), "stopped", "unused"],
    ["is as the server spells it", facts("HIBERNATING", undefined, null), "unknown", "HIBERNATING"],
    ["serves though the latest was skipped", facts("READY", "SKIPPED"), "serving", "latest skipped"],
    ["serves without a status", facts(null, "DEPLOYED", "r2"), "serving", ""],
  ];
  for (const [name, given, kind, words] of cases) it(name, () => deepEqual(stateOf(given), { kind, words }));

  it("of one that can't be read is that", () => {
    const unread: DeploymentFacts = { id: "d", origin: "added", deployment: undefined, latest: undefined };
    deepEqual(stateOf(unread), { kind: "failed", words: "can't be read" });
  });
});
