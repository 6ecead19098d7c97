import { deepEqual, equal } from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../../src/api/agentServer/wire.ts";
import type { Deployment } from "../../../../src/api/controlPlane/wire.ts";
import {
  changeOf,
  IMMUTABLE_PATHS,
  REVISING_PATHS,
  sameAgain,
} from "../../../../src/editor/deployments/drafts/deploymentChange.ts";
import { draftOf, draftProblems } from "../../../../src/editor/deployments/drafts/deploymentDraft.ts";
import {
  DRAFT_TEMPLATES,
  draftText,
  endedLike,
  orderedLike,
  saidBy,
} from "../../../../src/editor/deployments/drafts/draftText.ts";

/** A deployment as the control plane's description has it, with null for what is not set. */
const deployment: Deployment = {
  id: "0a1b",
  name: "my-agent",
  display_name: "My agent",
  tenant_id: "t",
  source: "github",
  source_config: {
    integration_id: "i",
    repo_url: "https://github.com/o/r",
    deployment_type: "dev",
    build_on_push: false,
    custom_url: "https://my-agent.example.com",
    resource_spec: null,
    listener_config: null,
  },
  source_revision_config: {
    repo_ref: "main",
    langgraph_config_path: "langgraph.json",
    repo_commit_sha: "abc",
  },
  secrets: [{ name: "A" }, { name: "B" }],
  secret_references: [],
  status: "READY",
  latest_revision_id: "r1",
};
const draft = draftOf(deployment);

describe("a draft of a deployment", () => {
  it("holds what can be sent, secrets by name only, and nothing that the server derives", () => {
    deepEqual(draft, {
      id: "0a1b",
      name: "my-agent",
      display_name: "My agent",
      source: "github",
      source_config: {
        integration_id: "i",
        repo_url: "https://github.com/o/r",
        deployment_type: "dev",
        build_on_push: false,
      },
      source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
      secrets: [{ name: "A" }, { name: "B" }],
    });
  });

  it("is not sent with the value of a secret in it, or without what it needs", () => {
    const problems = (value: JsonObject) => draftProblems(value).map(({ path }) => path.join("."));
    deepEqual(problems(draft), []);
    deepEqual(problems({ ...draft, secrets: [{ name: "A", value: "${env:A}" }] }), []);
    deepEqual(problems({ ...draft, secrets: [{ name: "A", value: "s3cret" }] }), ["secrets.0.value"]);
    deepEqual(problems({ ...draft, secrets: [{ name: "A", value: "x${env:A}" }] }), ["secrets.0.value"]);
    deepEqual(problems({ secrets: ["A"] }), ["name", "source", "secrets.0"]);
    deepEqual(
      draftProblems([]).map(({ message }) => message),
      ["A draft is a JSON object."],
    );
  });

  it("stands beside the server's in the same order of members", () => {
    const mine = { secrets: [], source: "github", name: "x" };
    deepEqual(Object.keys(orderedLike(draft, mine) as JsonObject).slice(0, 3), ["secrets", "source", "name"]);
    deepEqual(orderedLike(draft, mine), draft);
  });

  it("is compared with what the server has of the same, since what it leaves out stays", () => {
    const mine = { source_config: { deployment_type: "prod" }, secrets: [], name: "my-agent" };
    const compared = saidBy(mine, draft);
    deepEqual(compared, {
      source_config: { deployment_type: "dev" },
      secrets: [{ name: "A" }, { name: "B" }],
      name: "my-agent",
    });
    deepEqual(Object.keys(compared), Object.keys(mine));
  });

  it("differs from what the server has by no line break at its end", () => {
    const server = draftText({ name: "my-agent" });
    for (const mine of ['{ "name": "mine" }', '{ "name": "mine" }\n', '{ "name": "mine" }\r\n\r\n']) {
      const [end] = /\s*$/.exec(mine) ?? [];
      equal(endedLike(server, mine), `{\n  "name": "my-agent"\n}${end ?? ""}`);
    }
  });

  it("has a template for each source of the schema", () => {
    const schema = schemaOf();
    const sources = (schema.properties["source"]?.["enum"] ?? []) as readonly string[];
    deepEqual(new Set(DRAFT_TEMPLATES.map((template) => template.draft["source"])), new Set(sources));
    for (const template of DRAFT_TEMPLATES) {
      deepEqual(draftProblems(JSON.parse(draftText(template.draft)) as JsonObject), [], template.label);
    }
  });
});

describe("the change that a draft makes", () => {
  const changed = (sections: JsonObject) => changeOf(deployment, { ...draft, ...sections });
  const revision = (members: JsonObject) =>
    changed({ source_revision_config: { ...(draft["source_revision_config"] as JsonObject), ...members } });
  const config = (members: JsonObject) =>
    changed({ source_config: { ...(draft["source_config"] as JsonObject), ...members } });

  it("is none when nothing differs, whatever the order and what is null", () => {
    equal(changeOf(deployment, draft).patch, undefined);
    equal(changeOf(deployment, orderedLike(draft, { secrets: [] }) as JsonObject).patch, undefined);
    equal(config({ resource_spec: null }).patch, undefined);
  });

  it("sends what differs and nothing else", () => {
    const { patch, changed: paths } = revision({ repo_ref: "v2" });
    deepEqual(patch, { source_revision_config: { repo_ref: "v2" } });
    deepEqual(paths, ["source_revision_config.repo_ref"]);
    deepEqual(changed({ display_name: "New" }).patch, { display_name: "New" });
    deepEqual(changed({ brand_new_field: 1 }).patch, { brand_new_field: 1 });
  });

  it("says beforehand whether it makes a new revision", () => {
    deepEqual(revision({ repo_ref: "v2" }).revising, ["source_revision_config.repo_ref"]);
    deepEqual(config({ resource_spec: { cpu: 2 } }).revising, ["source_config.resource_spec"]);
    deepEqual(config({ build_on_push: true }).revising, []);
    deepEqual(changed({ display_name: "New" }).revising, []);
    deepEqual(changed({ secret_references: [{ name: "A" }] }).revising, []);
  });

  it("counts secrets as changed by name or when the draft says where values come from", () => {
    const secrets = (...list: JsonObject[]) => changed({ secrets: list });
    equal(secrets({ name: "B" }, { name: "A" }).patch, undefined);
    equal(changed({ secrets: [] }).patch, undefined);
    deepEqual(changed({ secrets: [] }).kept, ["secrets"]);
    deepEqual(secrets({ name: "A" }, { name: "C" }).patch, { secrets: [{ name: "A" }, { name: "C" }] });
    deepEqual(secrets({ name: "A", value: "${env:A}" }, { name: "B" }).revising, ["secrets"]);
  });

  it("names what can't be changed, and what stays although it was left out", () => {
    deepEqual(changed({ name: "other" }).immutable, ["name"]);
    deepEqual(config({ repo_url: "https://github.com/o/other" }).immutable, ["source_config.repo_url"]);
    deepEqual(config({ listener_config: { k8s_namespace: "ns" } }).immutable, [
      "source_config.listener_config.k8s_namespace",
    ]);
    deepEqual(changed({ source_revision_config: { repo_ref: "main" } }).kept, [
      "source_revision_config.langgraph_config_path",
    ]);
  });

  it("names the source again with a revision of one's own image or archive", () => {
    const own = { ...deployment, source: "internal_docker", source_revision_config: { image_uri: "a:1" } };
    deepEqual(changeOf(own, { ...draftOf(own), source_revision_config: { image_uri: "a:2" } }).patch, {
      revision_source: "internal_docker",
      source_revision_config: { image_uri: "a:2" },
    });
    deepEqual(sameAgain(own), {
      revision_source: "internal_docker",
      source_revision_config: { image_uri: "a:1" },
    });
    equal(sameAgain({ ...own, source_revision_config: {} }), undefined);
  });

  it("follows the rules that the schema states in its descriptions", () => {
    deepEqual(told("Cannot be changed later."), IMMUTABLE_PATHS.toSorted());
    deepEqual(told("A change makes a new revision."), REVISING_PATHS.toSorted());
  });
});

interface Schema extends Readonly<Record<string, unknown>> {
  readonly description?: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

function schemaOf(): Schema {
  const file = new URL("../../../../media/deployment.schema.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Schema;
}

/** The paths whose description says so. */
function told(words: string): string[] {
  const visit = (schema: Partial<Schema>, path: string): string[] => [
    ...(schema.description?.includes(words) === true ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      visit(member, path === "" ? name : `${path}.${name}`),
    ),
  ];
  return visit(schemaOf(), "").toSorted();
}
