import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Class } from "oxc-parser";
import { parsed } from "../support/syntax.ts";
import { COMMANDS } from "../../src/editor/kit/ids.ts";
import { LocalPlatform } from "../support/localPlatform.ts";
import { readEndpoints } from "../support/interface.ts";

const root = join(import.meta.dirname, "../..");
const endpoints = readEndpoints(root).all;
const known: readonly string[] = COMMANDS;

describe("docs/interface.md", () => {
  it("has each endpoint once", () => {
    const names = endpoints.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  it("has exactly the endpoints that the Local Platform serves", async () => {
    const platform = await LocalPlatform.start();
    try {
      const { body } = await platform.send("GET", `${platform.ready.localUrl}/openapi.json`);
      const paths = body["paths"] as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      const served = Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${withoutBase(path)}`),
      );
      const written = endpoints.map(({ name }) => name);
      assert.deepEqual(written.toSorted(), served.toSorted());
    } finally {
      await platform.remove();
    }
  });

  it("names each call of each client, and no other", () => {
    const named = [...new Set(endpoints.flatMap(({ clients }) => clients))];
    assert.deepEqual(named.toSorted(), clientCalls().toSorted());
  });

  it("names commands and test files that exist", () => {
    const missing = endpoints.flatMap(({ name, commands, checkedBy }) => [
      ...commands.filter((id) => !known.includes(`agentOperations.${id}`)).map((id) => `${name}: ${id}`),
      ...checkedBy
        .filter((file) => !existsSync(join(root, "test", file)))
        .map((file) => `${name}: test/${file}`),
    ]);
    assert.deepEqual(missing, []);
  });

  it("has each section that a docstring refers to", () => {
    const text = readFileSync(join(root, "docs/interface.md"), "utf8");
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
    const references = globSync("src/**/*.{ts,tsx}", { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), "utf8").replace(/\n\s*\* /g, " ");
      return [...source.matchAll(/docs\/interface\.md, "([^"]+)"/g)].map(([, section]) => ({
        file,
        section,
      }));
    });
    assert.notEqual(references.length, 0);
    assert.deepEqual(
      references.filter(({ section }) => !headings.includes(section)),
      [],
    );
  });
});

/** Where the Local Platform has what is reached below several addresses. */
function withoutBase(path: string): string {
  return path.replace(/^\/deployments\/\{deployment_id\}/, "").replace(/^\/api-host/, "");
}

/** The public methods of the clients in `src/api` that send a request, as `Class.method`, and functions that do. */
function clientCalls(): readonly string[] {
  const files = globSync("src/api/{agentServer,bulkExports,controlPlane,managedAgents,threadProtocol}/*.ts", {
    cwd: root,
  });
  return [...files, "src/api/localIssues.ts"].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return parsed(file, text).body.flatMap((statement) => {
      if (statement.type !== "ExportNamedDeclaration") return [];
      const { declaration } = statement;
      if (declaration?.type === "FunctionDeclaration") {
        const sends = /\bnew Http\b/.test(text.slice(declaration.start, declaration.end));
        return declaration.async && sends ? [declaration.id?.name ?? ""] : [];
      }
      if (declaration?.type !== "ClassDeclaration" || !usesHttp(declaration)) return [];
      return declaration.body.body.flatMap((member) =>
        member.type === "MethodDefinition" && member.kind === "method" && member.key.type === "Identifier"
          ? [`${declaration.id?.name ?? ""}.${member.key.name}`]
          : [],
      );
    });
  });
}

function usesHttp({ body }: Class): boolean {
  return body.body.some(
    (member) => "key" in member && member.key.type === "PrivateIdentifier" && member.key.name === "http",
  );
}
