import { generate } from "selfsigned";

/** A certificate for 127.0.0.1 by an authority that no machine knows, called "Private Test CA". */
export async function privateAuthority(): Promise<{
  /** The authority's own certificate. */
  readonly authority: string;
  readonly key: string;
  readonly cert: string;
}> {
  const ca = await generate([{ name: "commonName", value: "Private Test CA" }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const own = await generate([{ name: "commonName", value: "agents.test" }], {
    keyType: "ec",
    algorithm: "sha256",
    ca: { key: ca.private, cert: ca.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  return { authority: ca.cert, key: own.private, cert: own.cert };
}
