/** What a TLS peer's certificate says, and why it is not accepted. */

import type { PeerCertificate, TLSSocket } from "node:tls";
import { TlsError } from "./networkFailure.ts";

/** One certificate of a chain, as a person reads it. */
export interface CertificateFacts {
  readonly subject: string;
  readonly issuer: string;
  /** As in the certificate, e.g. "Nov 21 05:00:00 2027 GMT". */
  readonly validTo: string;
  /** DNS names and addresses that it is for. */
  readonly names: string;
}

/** The chain that the peer sent, its own certificate first; empty when it sent none. */
export function chainOf(socket: TLSSocket): readonly CertificateFacts[] {
  const chain: CertificateFacts[] = [];
  const seen = new Set<string>();
  let certificate: Partial<ReturnType<typeof detailed>> | undefined = detailed(socket);
  while (certificate?.fingerprint256 !== undefined && !seen.has(certificate.fingerprint256)) {
    seen.add(certificate.fingerprint256);
    chain.push({
      subject: nameOf(certificate.subject),
      issuer: nameOf(certificate.issuer),
      validTo: certificate.valid_to ?? "",
      names: certificate.subjectaltname ?? "",
    });
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

/** Why the handshake's certificate is refused, in words, naming its issuer; undefined when it is accepted. */
export function distrust(socket: TLSSocket, host: string): TlsError | undefined {
  if (socket.authorized) return undefined;
  // Typed as an Error, yet it is a code.
  const code = String(socket.authorizationError);
  const chain = chainOf(socket);
  const [own] = chain;
  const issuer = chain.at(-1)?.issuer ?? "unknown";
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return new TlsError(code, `the certificate is for ${own?.names ?? "other names"}, not for ${host}`);
    case "CERT_HAS_EXPIRED":
      return new TlsError(
        code,
        `the certificate, or one that vouches for it, has expired (valid to ${own?.validTo ?? "?"})`,
      );
    case "CERT_NOT_YET_VALID":
      return new TlsError(code, "the certificate is not valid yet: is this machine's clock right?");
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
      return new TlsError(code, `the certificate is self-signed by ${issuer}`);
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return new TlsError(code, `the certificate is issued by ${issuer}, which this machine does not trust`);
    default:
      return new TlsError(code, `the certificate, issued by ${issuer}, was refused (${code})`);
  }
}

function detailed(
  socket: TLSSocket,
): ReturnType<TLSSocket["getPeerCertificate"]> & { issuerCertificate?: PeerCertificate } {
  return socket.getPeerCertificate(true);
}

function nameOf(name: PeerCertificate["subject"] | undefined): string {
  return (
    [name?.CN ?? name?.OU, name?.O]
      .flat()
      .filter((part) => part !== undefined)
      .join(", ") || "an unnamed authority"
  );
}
