/** Marks what a search found in the rows on the page; the page's elements stay as they are. */

const mostMarked = 2_000;
/** What the page itself says beside an agent's words, and what is cut. */
const notSearched =
  ".preview, .fact, .status, .part-label, .code-head, .message-head, .hint, .hidden-character, textarea, select, button:not(.disclosure-head, .lane)";
const blocks = "p, li, td, th, pre, blockquote, button, .heading, .long-text, .card";

/** A match that the reader is led to: the row, and which of the matches in it. */
export interface Marked {
  readonly id: string;
  readonly nth: number;
}

/** Marks all matches in sight, and one apart from the others; returns where that one is. */
export function mark(scroller: HTMLElement, pattern: RegExp, current: Marked | undefined): Range | undefined {
  const found: Range[] = [];
  let here: Range | undefined;
  for (const row of scroller.querySelectorAll<HTMLElement>("[data-row]")) {
    const ranges = rangesIn(row, pattern, mostMarked - found.length);
    found.push(...ranges);
    if (row.dataset["row"] === current?.id) here = ranges[Math.min(current?.nth ?? 0, ranges.length - 1)];
  }
  CSS.highlights.set("search", new Highlight(...found.filter((range) => range !== here)));
  CSS.highlights.set("search-current", new Highlight(...(here === undefined ? [] : [here])));
  return here;
}

/** Takes all marks away. */
export function unmark(): void {
  CSS.highlights.delete("search");
  CSS.highlights.delete("search-current");
}

/** Scrolls what holds a match, such as a box of code, and then the transcript, until it is in sight. */
export function reveal(range: Range, scroller: HTMLElement): void {
  const inside = range.startContainer.parentElement;
  for (let box = inside; box !== null && scroller.contains(box); box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue;
    if (box !== scroller && !/auto|scroll/.test(getComputedStyle(box).overflow)) continue;
    const match = range.getBoundingClientRect();
    const { top, left } = box.getBoundingClientRect();
    if (match.top < top || match.bottom > top + box.clientHeight)
      box.scrollTop += match.top - top - box.clientHeight / 3;
    if (match.left < left || match.right > left + box.clientWidth)
      box.scrollLeft += match.left - left - box.clientWidth / 3;
  }
}

/** What is found in a row, across the elements that a text is split into. */
function rangesIn(row: HTMLElement, pattern: RegExp, most: number): Range[] {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    return node.matches(notSearched) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  const pieces: { readonly node: Text; readonly start: number }[] = [];
  let [text, block] = ["", null as Element | null];
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    const around = node.parentElement?.closest(blocks) ?? null;
    if (around !== block) text += "\n";
    block = around;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  const ranges: Range[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (ranges.length >= most) break;
    const range = document.createRange();
    const [first, last] = [pieceAt(pieces, index), pieceAt(pieces, index + found.length - 1)];
    if (first === undefined || last === undefined) continue;
    range.setStart(first.node, Math.min(first.node.length, index - first.start));
    range.setEnd(last.node, Math.min(last.node.length, index + found.length - last.start));
    ranges.push(range);
  }
  return ranges;
}

function pieceAt<Piece extends { readonly start: number }>(
  pieces: readonly Piece[],
  at: number,
): Piece | undefined {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return pieces[low - 1];
}
