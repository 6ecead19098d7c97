import assert from "node:assert/strict";
import { proxyFor } from "../../../../src/editor/network/proxy.ts";
import type { Environment, NetworkSettings } from "../../../../src/editor/network/proxy.ts";

const plain: NetworkSettings = { strictSSL: true, systemCertificates: false };

describe("proxyFor", () => {
  const proxy = "http://proxy.test:3128";
  const cases: readonly (readonly [
    string,
    string,
    Partial<NetworkSettings>,
    Environment,
    string | undefined,
  ])[] = [
    ["nothing without a proxy", "https://a.test", {}, {}, undefined],
    ["the setting", "https://a.test", { proxy }, { HTTPS_PROXY: "http://other.test" }, proxy],
    ["the setting without a scheme", "https://a.test", { proxy: "proxy.test:3128" }, {}, proxy],
    ["nothing when proxies are off", "https://a.test", { proxy, proxySupport: "off" }, {}, undefined],
    ["no PAC file", "https://a.test", { proxy: "http://wpad.test/proxy.pac" }, {}, undefined],
    [
      "HTTPS_PROXY for https",
      "https://a.test",
      {},
      { HTTPS_PROXY: proxy, HTTP_PROXY: "http://other.test" },
      proxy,
    ],
    ["https_proxy for https", "https://a.test", {}, { https_proxy: proxy }, proxy],
    ["HTTP_PROXY for https when it is all there is", "https://a.test", {}, { HTTP_PROXY: proxy }, proxy],
    [
      "HTTP_PROXY for http",
      "http://a.test",
      {},
      { HTTPS_PROXY: "http://other.test", HTTP_PROXY: proxy },
      proxy,
    ],
    ["no HTTPS_PROXY for http", "http://a.test", {}, { HTTPS_PROXY: proxy }, undefined],
    ["nothing for localhost", "http://localhost:2024", { proxy }, {}, undefined],
    ["nothing for 127.0.0.2", "http://127.0.0.2:2024", { proxy }, {}, undefined],
    ["nothing for ::1", "http://[::1]:2024", { proxy }, {}, undefined],
    [
      "the proxy for loopback when told so",
      "http://localhost",
      { proxy, noProxy: ["<-loopback>"] },
      {},
      proxy,
    ],
    ["nothing for an exempt host", "https://a.test", { proxy, noProxy: ["b.test", "A.test"] }, {}, undefined],
    [
      "nothing for a subdomain of an exempt host",
      "https://x.a.test",
      { proxy, noProxy: ["a.test"] },
      {},
      undefined,
    ],
    ["nothing for *.domain", "https://x.a.test", { proxy, noProxy: ["*.a.test"] }, {}, undefined],
    [
      "the proxy for the domain itself of *.domain",
      "https://a.test",
      { proxy, noProxy: ["*.a.test"] },
      {},
      proxy,
    ],
    [
      "the proxy for a host that only ends alike",
      "https://xa.test",
      { proxy, noProxy: ["a.test"] },
      {},
      proxy,
    ],
    ["nothing for an exempt port", "https://a.test:8443", { proxy, noProxy: ["a.test:8443"] }, {}, undefined],
    ["the proxy for another port", "https://a.test", { proxy, noProxy: ["a.test:8443"] }, {}, proxy],
    ["nothing for *", "https://a.test", { proxy, noProxy: ["*"] }, {}, undefined],
    ["nothing in a CIDR block", "https://10.1.2.3", { proxy, noProxy: ["10.0.0.0/8"] }, {}, undefined],
    ["the proxy outside a CIDR block", "https://11.1.2.3", { proxy, noProxy: ["10.0.0.0/8"] }, {}, proxy],
    [
      "nothing for an exempt IPv6 address",
      "https://[fd00::1]",
      { proxy, noProxy: ["fd00::1"] },
      {},
      undefined,
    ],
    [
      "nothing for a host in NO_PROXY",
      "https://a.test",
      {},
      { HTTPS_PROXY: proxy, NO_PROXY: "b.test, a.test" },
      undefined,
    ],
    [
      "the setting's list before NO_PROXY",
      "https://a.test",
      { proxy, noProxy: ["b.test"] },
      { NO_PROXY: "*" },
      proxy,
    ],
  ];
  for (const [name, url, settings, env, expected] of cases) {
    it(`chooses ${name}`, () => assert.equal(proxyFor(url, { ...plain, ...settings }, env), expected));
  }
});
