import { deepEqual, equal, match } from "node:assert/strict";
import type { Deployment } from "../../../../../src/api/controlPlane/wire.ts";
import {
  type BulkChange,
  previewOf,
  patchOf,
} from "../../../../../src/editor/deployments/bulk/bulkChange.ts";

const ofImage: Deployment = {
  id: "1",
  source: "internal_docker",
  source_revision_config: { image_uri: "registry.test:5000/team/bot:1.4.1" },
  secrets: [{ name: "TOKEN" }, { name: "DATABASE" }],
  active_revision_id: "a",
};
const ofBranch: Deployment = {
  ...ofImage,
  source: "github",
  source_revision_config: { repo_ref: "main", repo_commit_sha: "1a2b3c4d5e" },
};

describe("A change of many deployments", () => {
  it("puts a tag or a digest in the place of each one's own", () => {
    const sent = (to: string, image: string) =>
      patchOf({ ...ofImage, source_revision_config: { image_uri: image } }, { kind: "image", to }, [])
        ?.source_revision_config?.image_uri;
    equal(sent(":1.4.2", "registry.test:5000/team/bot:1.4.1"), "registry.test:5000/team/bot:1.4.2");
    equal(sent(":1.4.2", "registry.test:5000/team/bot"), "registry.test:5000/team/bot:1.4.2");
    equal(sent(":1.4.2", "registry.test:5000/bot:1@sha256:00ff"), "registry.test:5000/bot:1.4.2");
    equal(sent("@sha256:00ff", "bot:1"), "bot@sha256:00ff");
    equal(sent("other/bot:2", "bot:1"), "other/bot:2");
  });

  it("names the source again with an image of one's own", () => {
    deepEqual(patchOf(ofImage, { kind: "image", to: ":2" }, []), {
      revision_source: "internal_docker",
      source_revision_config: { image_uri: "registry.test:5000/team/bot:2" },
    });
  });

  it("says what becomes of each, and why nothing does", () => {
    const words = (deployment: Deployment, change: BulkChange) => {
      const { words: said, without } = previewOf(deployment, change);
      return without ?? said;
    };
    equal(words(ofImage, { kind: "image", to: ":1.4.2" }), "1.4.1 → 1.4.2");
    equal(words(ofImage, { kind: "image", to: ":1.4.1" }), "it has 1.4.1 already");
    equal(words(ofImage, { kind: "branch", to: "next" }), "it is not made of a branch");
    equal(words(ofBranch, { kind: "branch", to: "next" }), "main@1a2b3c4 → next");
    equal(words(ofBranch, { kind: "image", to: "bot:1" }), "it is not made of an image");
    equal(words(ofImage, { kind: "redeploy" }), "1.4.1 again");
    equal(words({ id: "2" }, { kind: "redeploy" }), "it has no revision yet");
    match(words(ofImage, { kind: "secret", name: "TOKEN" }), /TOKEN gets another value/);
    match(words(ofImage, { kind: "secret", name: "NEW" }), /NEW is added/);
  });

  it("knows which secrets the platform would drop", () => {
    deepEqual(previewOf(ofImage, { kind: "secret", name: "TOKEN" }).otherSecrets, ["DATABASE"]);
    deepEqual(previewOf({ id: "2" }, { kind: "secret", name: "TOKEN" }).otherSecrets, []);
  });
});
