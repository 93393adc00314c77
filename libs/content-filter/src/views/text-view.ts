import type { Span } from '../span.ts';

/** A text in other characters, with the way back. */
export interface TextView {
  readonly text: string;
  /** The place in the original of each character, and its length at the end; null: the same places. */
  readonly origins: Int32Array | null;
}

/** Returns where a part of a view stands in the original. Marks and hidden characters behind it belong to it. */
export function originalSpan(original: string, { text, origins }: TextView, span: Span): Span {
  if (!origins) return { start: span.start, end: span.end };
  const start = origins[span.start] ?? 0;
  const last = origins[span.end - 1] ?? 0;
  const end = origins[span.end] ?? original.length;
  if (end > last) return { start, end };
  // A view may have two characters for one, or a space of its own.
  const isOwn = text[span.end - 1] === ' ' && original[last] !== ' ';
  if (isOwn && last > start) return { start, end: last };
  const isPair = (original.codePointAt(last) ?? 0) > 0xff_ff;
  return { start, end: last + (isPair ? 2 : 1) };
}

/** Collects the characters of a view. */
export class ViewBuilder {
  #units: Uint16Array;
  #origins: Int32Array;
  length = 0;
  isChanged = false;

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity + 16);
    this.#origins = new Int32Array(capacity + 16);
  }

  add(unit: number, origin: number): void {
    if (this.length + 1 >= this.#units.length) this.#grow();
    this.#units[this.length] = unit;
    this.#origins[this.length] = origin;
    this.length += 1;
  }

  addAll(text: string, origin: number): void {
    for (let at = 0; at < text.length; at += 1) this.add(text.charCodeAt(at), origin);
  }

  /** 0 outside of the text. */
  unitAt(at: number): number {
    return at < 0 || at >= this.length ? 0 : (this.#units[at] ?? 0);
  }

  originAt(at: number): number {
    return this.#origins[at] ?? 0;
  }

  /** Puts another character in the place of one. */
  set(at: number, unit: number): void {
    if (this.#units[at] === unit) return;
    this.#units[at] = unit;
    this.isChanged = true;
  }

  view(originalLength: number): TextView {
    const origins = this.#origins.subarray(0, this.length + 1);
    origins[this.length] = originalLength;
    return { text: textOfUnits(this.#units.subarray(0, this.length)), origins };
  }

  #grow(): void {
    const units = new Uint16Array(this.#units.length * 2);
    const origins = new Int32Array(units.length);
    units.set(this.#units);
    origins.set(this.#origins);
    this.#units = units;
    this.#origins = origins;
  }
}

/** Returns the text of UTF-16 units. */
export function textOfUnits(units: Uint16Array): string {
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}
