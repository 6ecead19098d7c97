import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";

import type { RunSpan } from "../../run/timeline/timeline.ts";
import type { Axis } from "../../run/timeline/axis.ts";
import type { Lane, TimedSpan } from "../../run/timeline/tracks.ts";
import { drawChart, drawMap, inksOf, type Scene } from "./drawing.ts";
import { layoutOf, offsetAt, type Range, spanAt, trackHeight } from "./layout.ts";
import { middleOf, moved, neighbour, nextOf, showing, zoomed } from "./view.ts";

const mapHeight = 24;

interface ChartProps {
  readonly lanes: readonly Lane[];
  readonly runs: readonly RunSpan[];
  readonly axis: Axis;
  /** What is shown of the axis; all of it while it is undefined. */
  readonly range: Range | undefined;
  readonly onRange: (range: Range | undefined) => void;
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
  /** Goes to a row of the transcript. */
  readonly onRow: (row: string) => void;
}

/** The lanes over time, and above them all of it in small. Only what is in sight is drawn. */
export function Chart({ lanes, runs, axis, range: wanted, onRange, selected, onSelect, onRow }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const [{ width, height }, setSize] = useState({ width: 0, height: 0 });
  const [scrolled, setScrolled] = useState(0);
  const [theme, redraw] = useReducer<number, undefined>((count) => count + 1, 0);
  const layout = useMemo(() => layoutOf(lanes), [lanes]);
  const whole: Range = { from: 0, to: Math.max(1, axis.length) };
  const range = wanted ?? whole;
  const scale = { axis, range, width };
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    // Another theme has other colours.
    const themes = new MutationObserver(() => redraw(undefined));
    themes.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ["style", "class"] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
    };
  }, []);
  const inks = useMemo(
    () => (frame.current === null ? undefined : inksOf(frame.current)),
    [theme, width > 0],
  );
  useLayoutEffect(() => {
    if (chart.current === null || map.current === null || width === 0 || inks === undefined) return;
    const scene: Scene = { layout, scale, height, scrolled, runs, selected, inks };
    drawChart(chart.current, scene);
    drawMap(map.current, scene, mapHeight);
  });
  const pick = ({ clientX, clientY, currentTarget }: MouseEvent & { currentTarget: HTMLElement }) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return spanAt(layout, scale, clientX - left, clientY - top + scrolled)?.span;
  };
  // Keys come faster than they are drawn: each goes on from where the one before it led to.
  const latest = useRef({ selected, wanted });
  latest.current = { selected, wanted };
  const show = (next: Range | undefined): void => {
    latest.current.wanted = next;
    onRange(next);
  };
  const goTo = (one: TimedSpan | undefined): void => {
    const track = layout.tracks.find(({ spans }) => one !== undefined && spans.includes(one));
    if (track === undefined || one === undefined) return;
    latest.current.selected = one.span.id;
    onSelect(one.span.id);
    if (latest.current.wanted !== undefined) show(showing(latest.current.wanted, axis, one));
    const element = frame.current;
    if (element === null) return;
    if (track.top - trackHeight < element.scrollTop) element.scrollTop = track.top - 2 * trackHeight;
    else if (track.top + trackHeight > element.scrollTop + height)
      element.scrollTop = track.top + 2 * trackHeight - height;
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = latest.current.selected;
    const shown = latest.current.wanted ?? whole;
    const here = layout.tracks.flatMap(({ spans }) => spans).find(({ span }) => span.id === at);
    switch (event.key) {
      case "ArrowLeft":
      case "ArrowRight":
      case "ArrowUp":
      case "ArrowDown":
      case "Home":
      case "End":
        goTo(neighbour(layout, at, event.key));
        break;
      case "e":
        goTo(nextOf(layout, at, ({ span }) => span.status === "error"));
        break;
      case "q":
        goTo(nextOf(layout, at, ({ span }) => span.kind === "wait"));
        break;
      case "PageUp":
      case "PageDown":
        show(moved(shown, axis, (shown.to - shown.from) * (event.key === "PageUp" ? -0.8 : 0.8)));
        break;
      case "+":
      case "=":
      case "-":
        show(zoomed(shown, axis, event.key === "-" ? 1 / 1.6 : 1.6, middleOf(shown, axis, here)));
        break;
      case "0":
        show(undefined);
        break;
      case "Enter":
        if (here !== undefined) onRow(here.span.row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (event.ctrlKey) {
        const middle = offsetAt(scale, event.clientX - element.getBoundingClientRect().left);
        onRange(zoomed(range, axis, Math.exp(-event.deltaY / 300), middle));
      } else if (across !== 0 && wanted !== undefined)
        onRange(moved(range, axis, (across / width) * (range.to - range.from)));
      else return;
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  });
  const drag = useRef<{ readonly x: number; readonly range: Range | undefined } | undefined>(undefined);
  const onMap = (event: PointerEvent) => {
    const canvas = event.currentTarget as HTMLElement;
    const at = (event.offsetX / Math.max(1, width)) * axis.length;
    if (event.type === "pointerdown") {
      const inside = wanted !== undefined && at >= range.from && at <= range.to;
      drag.current = { x: at, range: inside ? range : undefined };
      canvas.setPointerCapture(event.pointerId);
    } else if (event.type === "pointerup") drag.current = undefined;
    const begun = drag.current;
    if (begun === undefined || event.type === "pointerdown") return;
    // Inside of what is shown, that is moved; elsewhere another part is chosen.
    if (begun.range !== undefined) onRange(moved(begun.range, axis, at - begun.x));
    else if (Math.abs(at - begun.x) > axis.length / Math.max(1, width)) {
      const [from, to] = [Math.max(0, Math.min(at, begun.x)), Math.min(axis.length, Math.max(at, begun.x))];
      onRange({ from, to });
    }
  };
  return (
    <>
      <canvas
        ref={map}
        class="timeline-map"
        style={{ width: `${width}px`, height: `${mapHeight}px` }}
        aria-hidden="true"
        onPointerDown={onMap}
        onPointerMove={onMap}
        onPointerUp={onMap}
        onDblClick={() => onRange(undefined)}
      />
      <div
        ref={frame}
        class="timeline-chart"
        role="application"
        aria-label="Timeline chart: arrow keys go from bar to bar, Enter goes to the row, E to the next error, Q to the next question, plus and minus zoom, 0 shows all"
        tabIndex={0}
        onKeyDown={onKey}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        onFocus={() => {
          if (selected === undefined) goTo(neighbour(layout, undefined, "Home"));
        }}
        onMouseMove={(event) => {
          const span = pick(event);
          if (span !== undefined) onSelect(span.id);
          event.currentTarget.style.cursor = span === undefined ? "" : "pointer";
        }}
        onClick={(event) => {
          const span = pick(event);
          if (span !== undefined) onRow(span.row);
        }}
      >
        <canvas ref={chart} style={{ width: `${width}px`, height: `${height}px` }} aria-hidden="true" />
        <div style={{ height: `${Math.max(0, layout.height - height)}px` }} />
      </div>
    </>
  );
}
