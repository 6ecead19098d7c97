/** The id under which the server, or a gateway before it, logged the request. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  return headers["x-request-id"] ?? headers["request-id"] ?? headers["x-amzn-requestid"] ?? headers["cf-ray"];
}
