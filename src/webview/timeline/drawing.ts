/** Draws the chart and its small copy on a canvas, in the editor's colours. */

import type { RunSpan } from "../../run/timeline/timeline.ts";
import type { TimedSpan } from "../../run/timeline/tracks.ts";
import { duration } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import { inSight, type Layout, rulerHeight, type Scale, trackHeight, xOf } from "./layout.ts";

const inks = ["step", "model", "tool", "wait", "error", "quiet", "text", "line", "back", "focus"] as const;

/** Colours by what they are for, and the font. */
export type Inks = Readonly<Record<(typeof inks)[number] | "font", string>>;

/** The colours that the style sheet gives an element. */
export function inksOf(element: HTMLElement): Inks {
  const style = getComputedStyle(element);
  const read = inks.map((name) => [name, style.getPropertyValue(`--ink-${name}`).trim()] as const);
  return { ...(Object.fromEntries(read) as Inks), font: `${style.fontSize} ${style.fontFamily}` };
}

/** What is drawn. */
export interface Scene {
  readonly layout: Layout;
  readonly scale: Scale;
  readonly height: number;
  /** How far the lanes are scrolled up. */
  readonly scrolled: number;
  readonly runs: readonly RunSpan[];
  /** The id of the span that the reader is at. */
  readonly selected: string | undefined;
  readonly inks: Inks;
}

/** Draws all that is in sight. */
export function drawChart(canvas: HTMLCanvasElement, scene: Scene): void {
  const { layout, scale, height, scrolled, inks } = scene;
  const pen = penOn(canvas, scale.width, height);
  if (pen === undefined) return;
  pen.font = inks.font;
  pen.textBaseline = "middle";
  drawBreaks(pen, scene);
  pen.save();
  pen.beginPath();
  pen.rect(0, rulerHeight, scale.width, height - rulerHeight);
  pen.clip();
  pen.translate(0, -scrolled);
  for (const { top, lane } of layout.heads) {
    if (top + trackHeight < scrolled || top > scrolled + height) continue;
    pen.fillStyle = inks.quiet;
    pen.fillText(visibleText(lane.name), 6 + 10 * (lane.depth - 1), top + 10);
  }
  for (const track of layout.tracks) {
    if (track.top + trackHeight < scrolled || track.top > scrolled + height) continue;
    for (const [one, left, right] of inSight(track, scale, 0.7))
      drawSpan(pen, scene, one, left, right, track.top);
  }
  pen.restore();
  drawRuler(pen, scene);
}

/** Draws all of it, as small as it must be, with a frame around what the chart shows. */
export function drawMap(canvas: HTMLCanvasElement, scene: Scene, height: number): void {
  const { layout, scale, inks } = scene;
  const pen = penOn(canvas, scale.width, height);
  if (pen === undefined) return;
  const whole: Scale = { ...scale, range: { from: 0, to: scale.axis.length } };
  const row = Math.max(1, (height - 4) / Math.max(1, layout.tracks.length));
  for (const [index, track] of layout.tracks.entries()) {
    const top = 2 + ((height - 4) * index) / layout.tracks.length;
    for (const [one, left, right] of inSight(track, whole, 0.7)) {
      pen.fillStyle = colourOf(one, inks);
      pen.globalAlpha = one.span.kind === "gap" ? 0.15 : 0.75;
      pen.fillRect(left, top, Math.max(1, right - left), Math.min(row, 6) - (row > 3 ? 1 : 0));
    }
  }
  pen.globalAlpha = 1;
  const [left, right] = [scale.range.from, scale.range.to].map(
    (offset) => (offset / scale.axis.length) * scale.width,
  );
  if (left === undefined || right === undefined || right - left >= scale.width - 1) return;
  pen.fillStyle = inks.back;
  pen.globalAlpha = 0.6;
  pen.fillRect(0, 0, left, height);
  pen.fillRect(right, 0, scale.width - right, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = inks.focus;
  pen.strokeRect(left + 0.5, 0.5, Math.max(2, right - left - 1), height - 1);
}

function drawSpan(
  pen: CanvasRenderingContext2D,
  { inks, selected, scale }: Scene,
  one: TimedSpan,
  left: number,
  right: number,
  top: number,
): void {
  const { span } = one;
  const [x, y] = [Math.max(left, -2), top + 2];
  const [width, height] = [Math.max(1, Math.min(right, scale.width + 2) - x), trackHeight - 4];
  const colour = colourOf(one, inks);
  pen.fillStyle = colour;
  if (span.kind === "gap" || span.kind === "wait") {
    pen.strokeStyle = colour;
    pen.setLineDash([3, 3]);
    if (width > 3) pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    else pen.fillRect(x, y, width, height);
    pen.setLineDash([]);
  } else {
    pen.globalAlpha = 0.32;
    pen.fillRect(x, y, width, height);
    pen.globalAlpha = 1;
    if (width > 3) {
      pen.fillRect(x, y, Math.min(2, width), height);
      pen.strokeStyle = colour;
      pen.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    } else pen.fillRect(x, y, width, height);
    for (const first of span.firstTokens) drawFirstToken(pen, xOf(scale, one.from + first), y, height);
  }
  if (width > 26) drawLabel(pen, inks, one, x + 6, y + height / 2 + 0.5, width - 10);
  if (span.id === selected) {
    pen.strokeStyle = inks.focus;
    pen.lineWidth = 2;
    pen.strokeRect(x - 0.5, y - 0.5, width + 1, height + 1);
    pen.lineWidth = 1;
  }
}

/** A small wedge on top of the bar: from there on the model answered. */
function drawFirstToken(pen: CanvasRenderingContext2D, x: number, y: number, height: number): void {
  pen.fillRect(x - 0.5, y, 1, height);
  pen.beginPath();
  pen.moveTo(x - 4, y);
  pen.lineTo(x + 4, y);
  pen.lineTo(x, y + 5);
  pen.fill();
}

function drawLabel(
  pen: CanvasRenderingContext2D,
  inks: Inks,
  { span, from, to }: TimedSpan,
  x: number,
  y: number,
  room: number,
): void {
  const mark = span.status === "error" ? "✕ " : "";
  const text = `${mark}${labelOf(span)}`;
  const long = `${text}  ${duration(to - from)}`;
  pen.fillStyle = span.kind === "gap" ? inks.quiet : inks.text;
  const fits = pen.measureText(long).width <= room ? long : text;
  pen.save();
  pen.beginPath();
  pen.rect(x, y - trackHeight / 2, room, trackHeight);
  pen.clip();
  pen.fillText(fits, x, y);
  pen.restore();
}

/** What a span is called. */
export function labelOf({ kind, name }: TimedSpan["span"]): string {
  if (kind === "gap") return "no step";
  if (kind === "wait") return name === "" ? "waits for a person" : `stopped before ${visibleText(name)}`;
  return name === "" ? "a step" : visibleText(name);
}

function colourOf({ span }: TimedSpan, inks: Inks): string {
  if (span.status === "error") return inks.error;
  if (span.kind === "gap") return inks.quiet;
  if (span.kind === "wait" || span.status === "interrupted") return inks.wait;
  if (span.kind === "tool") return inks.tool;
  return span.spent.calls > 0 ? inks.model : inks.step;
}

function drawBreaks(pen: CanvasRenderingContext2D, { scale, height, inks }: Scene): void {
  for (const { from, to, length } of scale.axis.breaks) {
    const [left, right] = [xOf(scale, from), xOf(scale, to)];
    if (length === 0 || right < 0 || left > scale.width) continue;
    pen.fillStyle = inks.line;
    pen.globalAlpha = 0.35;
    pen.fillRect(left, 0, right - left, height);
    pen.globalAlpha = 1;
    const text = duration(to - from);
    if (pen.measureText(text).width > right - left - 4) continue;
    pen.fillStyle = inks.quiet;
    pen.textAlign = "center";
    pen.fillText(text, (left + right) / 2, rulerHeight / 2);
    pen.textAlign = "start";
  }
}

/** Times since the beginning, and where runs begin. */
function drawRuler(pen: CanvasRenderingContext2D, { scale, height, runs, inks }: Scene): void {
  const { axis, range, width } = scale;
  pen.strokeStyle = inks.line;
  pen.fillStyle = inks.quiet;
  const isBroken = axis.breaks.length > 0;
  for (const [index, { from }] of runs.entries()) {
    if (from === undefined) continue;
    const x = Math.round(xOf(scale, from)) + 0.5;
    if (x < -60 || x > width) continue;
    line(pen, x, 0, height);
    if (runs.length > 1) pen.fillText(`Run ${index + 1}`, x + 4, rulerHeight / 2);
  }
  line(pen, 0, rulerHeight - 0.5, rulerHeight - 0.5, width);
  if (isBroken || runs.length > 1) return;
  const pace = paceOf((range.to - range.from) / Math.max(1, width / 90));
  for (let offset = Math.ceil(range.from / pace) * pace; offset < range.to; offset += pace) {
    const x = Math.round(xOf(scale, axis.at(offset))) + 0.5;
    line(pen, x, rulerHeight - 5, rulerHeight);
    pen.fillText(duration(offset), x + 4, rulerHeight / 2);
  }
}

function line(pen: CanvasRenderingContext2D, x: number, from: number, to: number, across = x): void {
  pen.beginPath();
  pen.moveTo(x, from);
  pen.lineTo(across, to);
  pen.stroke();
}

/** The next round number of milliseconds: 1, 2 or 5 times a power of ten. */
function paceOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10);
}

function penOn(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | undefined {
  const ratio = devicePixelRatio;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  const pen = canvas.getContext("2d") ?? undefined;
  pen?.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen?.clearRect(0, 0, width, height);
  return pen;
}
