/** Template tag for request paths: percent-encodes each segment and refuses "", "." and "..". */
export function path(strings: TemplateStringsArray, ...segments: readonly (string | number)[]): string {
  return strings.reduce((built, text, index) => {
    const segment = String(segments[index - 1]);
    if (segment === "" || segment === "." || segment === "..") {
      throw new RangeError(`"${segment}" can't be part of the path ${strings.join("{}")}`);
    }
    return built + encodeURIComponent(segment) + text;
  });
}
