import { shortNumber } from './numbers.ts';
import { cutTo, padTo, widthOf } from './text-width.ts';

/** The paper of a picture. A plain one has ASCII only, but for names. */
export interface Paper {
  readonly width: number;
  readonly isPlain: boolean;
}

export interface Bar {
  readonly name: string;
  /** Null: nothing was recorded. */
  readonly value: number | null;
}

export const barsMax = 50;
const eighths = '▏▎▍▌▋▊▉';

/** Draws a line for each of the first groups: its name, a bar and its value. */
export function drawBars(bars: readonly Bar[], { width, isPlain }: Paper): readonly string[] {
  const shown = bars.slice(0, barsMax);
  const values = shown.map(({ value }) => (value === null ? '-' : shortNumber(value)));
  const nameWidth = Math.min(
    Math.max(1, ...shown.map(({ name }) => widthOf(name))),
    Math.max(1, Math.floor(width / 3)),
  );
  const barWidth = Math.max(1, width - nameWidth - Math.max(...values.map(widthOf)) - 2);
  const most = Math.max(0, ...shown.map(({ value }) => value ?? 0));
  const lines = shown.map(({ name, value }, index) => {
    const bar = barOf(partsOf(value ?? 0, most, barWidth * 8), isPlain);
    return [padTo(cutTo(name, nameWidth), nameWidth), bar, values[index]]
      .filter((part) => part !== '')
      .join(' ');
  });
  const more = bars.length - shown.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].map((line) => cutTo(line, width));
}

/** Returns how many of the parts a value fills. A value above zero fills one at least. */
export function partsOf(value: number, most: number, parts: number): number {
  return value > 0 && most > 0 ? Math.max(1, Math.round((value / most) * parts)) : 0;
}

function barOf(parts: number, isPlain: boolean): string {
  if (isPlain) return '#'.repeat(Math.ceil(parts / 8));
  return '█'.repeat(Math.floor(parts / 8)) + eighths.slice((parts % 8) - 1, parts % 8);
}
