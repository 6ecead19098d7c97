import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { html } from "../../../../src/emulator/statusPage/html.ts";
import { ControlPlaneClient } from "../../../support/controlPlaneClient.ts";
import { LocalPlatform, say, text } from "../../../support/localPlatform.ts";
import { until } from "../../../support/until.ts";
import { WebhookReceiver } from "../../../support/webhookReceiver.ts";

const hostile = `<img src=x onerror="alert('1')">&amp;`;

describe("the Local Platform's status page", () => {
  let platform: LocalPlatform;
  let client: ControlPlaneClient;

  before(async () => {
    platform = await LocalPlatform.start();
    client = new ControlPlaneClient(platform);
    await client.pace(1);
  });
  after(() => platform.remove());

  const open = async (): Promise<string> => await (await fetch(`${platform.ready.baseUrl}/`)).text();

  it("opens without a key, as HTML that may load and run nothing but its own style", async () => {
    const response = await fetch(`${platform.ready.baseUrl}/`);
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    const page = await response.text();
    const style = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.ok(policy.includes(`default-src 'none'; style-src 'sha256-${hash}'`), policy);
    assert.doesNotMatch(page, /<script/i);
    assert.match(style, /prefers-color-scheme: dark/);
  });

  it("shows the deployments with the statuses of their latest revisions", async () => {
    const { id, latest_revision_id } = await client.create({ name: "status-agent" });
    await client.follow(id, latest_revision_id);
    const page = await open();
    assert.match(page, /status-agent/);
    assert.match(page, /<td class="good">DEPLOYED<\/td>/);
    assert.ok(page.includes(`${platform.ready.baseUrl}/deployments/${text(id)}`));
  });

  it("shows the requests that came in, without queries and secrets", async () => {
    await platform.send("GET", `/nothing-of-this-name?key=query-secret`);
    const thread = await platform.thread();
    const done = await platform.stream(thread, {
      assistant_id: "echo",
      input: say("x"),
      feedback_keys: ["liked"],
    });
    const url = text(done.find(({ event }) => event === "feedback")?.data.liked);
    await platform.send("POST", url, { score: 1 });
    const page = await open();
    assert.match(page, /nothing-of-this-name<\/code>\s*<\/td>\s*<td class="bad">404/);
    assert.match(page, /\/feedback\/tokens\/…/);
    for (const secret of ["query-secret", platform.ready.apiKey, url.slice(url.lastIndexOf("/") + 1)]) {
      assert.ok(!page.includes(secret), secret);
    }
  });

  it("shows deliveries once there are webhooks, and of their URLs only where they lead", async () => {
    assert.doesNotMatch(await open(), /Webhook deliveries/);
    let received = 0;
    const receiver = createServer((incoming, response) => {
      received += 1;
      incoming.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    await platform.send("POST", `${platform.ready.localUrl}/webhooks`, { url: `${origin}/hidden-part` });
    await platform.send("POST", `${platform.ready.localUrl}/issues`, { name: "Slow", severity: 0 });
    await until("the delivery was received", () => received > 0);
    await until("the page says delivered", async () =>
      (await open()).includes('<td class="good">delivered</td>'),
    );
    const page = await open();
    receiver.closeAllConnections();
    receiver.close();
    assert.match(page, /issue\.created/);
    assert.ok(page.includes(origin));
    assert.doesNotMatch(page, /hidden-part/);
  });

  it("escapes whatever people and requests wrote", async () => {
    await client.create({ name: hostile });
    await platform.send("GET", `/x/${hostile}`);
    await new Promise<void>((resolve, reject) => {
      const { port } = new URL(platform.ready.baseUrl);
      const path = "/raw/<script>alert(1)</script>";
      request({ host: "127.0.0.1", port, path }, (answer) => answer.resume().on("end", resolve))
        .on("error", reject)
        .end();
    });
    const page = await open();
    assert.doesNotMatch(page, /<img|<script/i);
    assert.match(page, /&#60;img src=x onerror=&#34;alert\(&#39;1&#39;\)&#34;&#62;&#38;amp;/);
  });

  it("shows first what a webhook's links point to: an issue with its traces and deliveries, and its project", async () => {
    const receiver = await WebhookReceiver.start();
    await platform.send("POST", `${platform.ready.localUrl}/webhooks`, {
      url: `${receiver.url}?key=hidden`,
      event_types: ["issue.created", "issue.agent_run.failed"],
      severity_threshold: 3,
    });
    const order = { name: "Loops", description: hostile, severity: 1, session_name: "linked" };
    const traces = [{ comment: "the second time" }];
    await platform.send("POST", `${platform.ready.localUrl}/issues`, { ...order, traces });
    await platform.send("POST", `${platform.ready.localUrl}/agent-run-failures`, { session_name: "linked" });
    const [first, second] = (await receiver.count(2)).map(({ event }) => event);
    const links = [first, second].map((event) => text(event?.data?.object?.url));
    const [issueUrl, projectUrl] = links.sort();
    const read = async (url: string | undefined) => await (await fetch(url ?? "")).text();
    await until("the issue's page says delivered", async () =>
      /delivered/.test(sectionOf(await read(issueUrl))),
    );
    const issue = sectionOf(await read(issueUrl));
    assert.match(issue, /Issue: Loops[^]*1 high[^]*linked[^]*the second time[^]*issue\.created/);
    assert.doesNotMatch(issue, /<img|hidden|issue\.agent_run\.failed/);
    const project = sectionOf(await read(projectUrl));
    assert.match(project, /Project: linked[^]*\?issue=[^]*Loops[^]*issue\.agent_run\.failed/);
    assert.ok(project.includes(new URL(issueUrl ?? "").search));
    await receiver.stop();
  });

  it("says so when a link points to nothing, and takes any text for a link", async () => {
    const read = async (search: string) => await (await fetch(`${platform.ready.baseUrl}/?${search}`)).text();
    assert.match(await read(`issue=${crypto.randomUUID()}`), /There is no issue/);
    assert.match(await read(`project=${crypto.randomUUID()}`), /No issue was opened in it/);
    for (const name of ["issue", "project"]) {
      const page = await read(`${name}=${encodeURIComponent(hostile)}`);
      assert.match(page, /Recent requests/);
      assert.doesNotMatch(page, /<img/);
    }
  });

  it("is refused under a foreign name, which a page of the internet would come with", async () => {
    const ask = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { port } = new URL(platform.ready.baseUrl);
        request({ host: "127.0.0.1", port, path: "/", headers: { host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on("error", reject)
          .end();
      });
    assert.equal(await ask("evil.test"), 403);
    assert.equal(await ask("localhost.evil.test"), 403);
    assert.equal(await ask("localhost:1234"), 200);
    assert.equal(await ask("[::1]:1234"), 200);
  });

  it("is made of templates in which only HTML is left as it is", () => {
    const inner = html`<b>${"<"}</b>`;
    assert.equal(html`${inner}${[inner]}${1}${'"'}`.toString(), "<b>&#60;</b><b>&#60;</b>1&#34;");
  });
});

/** What the page shows of the thing that a link points to. */
function sectionOf(page: string): string {
  return /<section>[^]*<\/section>/.exec(page)?.[0] ?? "";
}
