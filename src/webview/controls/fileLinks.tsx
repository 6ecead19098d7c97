/** Texts in which a path with a line leads to that line, if the workspace has the file. */

import { type ComponentChildren, createContext, Fragment } from "preact";
import { useContext, useEffect, useMemo, useReducer } from "preact/hooks";

import type { ToWebview } from "../../run/panel/messages.ts";
import { type FileLocation, locationsIn } from "../kit/fileLocations.ts";
import { post, receive } from "../kit/host.ts";

/** Whether paths may be links here: in a page whose host opens files, and not within another link. */
export const FileLinksContext = createContext(false);

const mayNameLine = /[:(]\d|, line \d/;

/** The most paths that are asked about in one message, and in the life of a page. */
const atOnce = 100;
const mostAsked = 2_000;

const asked = new Set<string>();
const existing = new Set<string>();
const listeners = new Set<() => void>();
let waiting: string[] = [];
/** How often the host answered. */
let answers = 0;

/** Has the host look whether there are such files, each once. */
function ask(paths: readonly string[]): void {
  if (asked.size === 0) receive(take);
  for (const path of paths) {
    if (asked.has(path) || asked.size >= mostAsked) continue;
    asked.add(path);
    if (waiting.length === 0) queueMicrotask(send);
    waiting.push(path);
  }
}

function send(): void {
  for (let from = 0; from < waiting.length; from += atOnce)
    post({ type: "findFiles", paths: waiting.slice(from, from + atOnce) });
  waiting = [];
}

function take(message: ToWebview): void {
  if (message.type !== "files") return;
  answers += 1;
  for (const path of message.found) existing.add(path);
  for (const listener of listeners) listener();
}

/** The locations that a text names in files of which the host found that they exist, in its order. */
export function useFileLocations(text: string): readonly FileLocation[] {
  const isOffered = useContext(FileLinksContext);
  const locations = useMemo(
    () => (isOffered && mayNameLine.test(text) ? locationsIn(text) : []),
    [text, isOffered],
  );
  const [, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const drawnAt = answers;
  useEffect(() => {
    if (locations.length === 0) return;
    // An answer may come between a text that is drawn and its effect.
    if (answers !== drawnAt) redraw(undefined);
    const listener = (): void => redraw(undefined);
    listeners.add(listener);
    ask(locations.map(({ path }) => path));
    return () => void listeners.delete(listener);
  }, [locations]);
  return locations.filter(({ path }) => existing.has(path));
}

/** The text itself; a path becomes a link once the host found its file. */
export function FileLinks({ text }: { readonly text: string }) {
  const links = useFileLocations(text);
  if (links.length === 0) return <>{text}</>;
  return (
    <>
      {links.map((location, index) => (
        <Fragment key={index}>
          {text.slice(links[index - 1]?.to ?? 0, location.from)}
          <FileLink location={location}>{text.slice(location.from, location.to)}</FileLink>
        </Fragment>
      ))}
      {text.slice(links.at(-1)?.to)}
    </>
  );
}

interface FileLinkProps {
  readonly location: FileLocation;
  readonly children: ComponentChildren;
}

/** The event stops here, else the editor's own link handler would follow it, too. */
export function FileLink({ location, children }: FileLinkProps) {
  const { path, line, column } = location;
  const open = (event: MouseEvent): void => {
    if (event.button === 2) return;
    event.preventDefault();
    event.stopPropagation();
    post({ type: "openFile", path, line, ...(column !== undefined && { column }) });
  };
  return (
    <a class="file-link" href="#" title={`Open this file at line ${line}`} onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
