import { doesNotThrow, throws } from "node:assert/strict";
import { checkUrl, ForbiddenAddressError } from "../../src/emulator/kit/webhookAddress.ts";

/** Hosts that a webhook of the Local Platform may never reach, in all their spellings. */
const refused = [
  ...["169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518", "0.0.0.0", "0"],
  ...["[::ffff:169.254.169.254]", "[::ffff:a9fe:a9fe]", "[::a9fe:a9fe]", "[::ffff:0:a9fe:a9fe]", "[::]"],
  ...["[64:ff9b::a9fe:a9fe]", "[64:ff9b::a00:1]", "[64:ff9b:1::a9fe:a9fe]", "[64:ff9b:1::1]"],
  ...["[2002:a9fe:a9fe::]", "[2002:a00:1::1]", "[2002:c0a8:101::1]", "[2001:0:1:2:3:4:5:6]"],
  ...["[fe80::5efe:a9fe:a9fe]", "[2a00::5efe:10.0.0.1]", "[2a00::200:5efe:c0a8:1]"],
  ...["[::10.0.0.1]", "[::ffff:10.1.2.3]", "[::ffff:192.168.0.1]", "[::ffff:100.64.0.1]"],
  ...["[fd00:ec2::254]", "[fe80::1]", "[fc00::1]", "[fec0::1]", "[ff02::1]", "[100::1]", "[2001:db8::1]"],
  ...[
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
  ],
  ...["198.18.0.1", "198.19.255.255", "192.0.0.8", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255", "metadata.google.internal", "METADATA.google.internal."],
];

/** Loopback, since the Local Platform runs there, and what is public. */
const allowed = [
  ...["127.0.0.1:1", "localhost:1", "[::1]:1", "[::ffff:127.0.0.1]", "8.8.8.8", "198.17.0.1", "198.20.0.1"],
  ...[
    "[2606:4700::1111]",
    "[64:ff9b::808:808]",
    "[2002:808:808::1]",
    "[::ffff:8.8.8.8]",
    "hooks.example.com",
  ],
];

describe("Where webhooks may go", () => {
  for (const host of refused) {
    it(`not to ${host}`, () => {
      throws(() => checkUrl(`http://${host}/`, { allowPrivate: false }), ForbiddenAddressError);
    });
  }

  for (const host of allowed) {
    it(`to ${host}`, () => doesNotThrow(() => checkUrl(`http://${host}/`, { allowPrivate: false })));
  }
});
