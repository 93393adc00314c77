import type { Redaction } from '@sluice/content-filter';
import { redactionsWithin } from './redactions-within.ts';

/** JSON text as a model understands it: the strings decoded, all else as it is written. */
export interface JsonView {
  readonly view: string;
  /** Returns the text with places of the view redacted. JSON stays JSON. */
  readonly redact: (redactions: readonly Redaction[]) => string;
}

interface Piece {
  readonly kind: 'string' | 'structure' | 'text';
  /** Begins here in the view. */
  readonly start: number;
  readonly text: string;
  readonly written: string;
}

const literal = /"(?:[^"\\]|\\.)*"/gsu;
const structure = /^(?:[\s{}[\]:,"\d.+eE-]|true|false|null)*$/u;
const numeric = /[\d.+eE-]/u;
const numbers = /^[\d.+eE-]+$/u;

/** Views a text as JSON, also one that is cut or wrong: what is no JSON is plain text. */
export function jsonView(json: string): JsonView {
  const pieces: Piece[] = [];
  let view = '';
  const add = (kind: Piece['kind'], text: string, written: string) => {
    if (text === '' && written === '') return;
    pieces.push({ kind, start: view.length, text, written });
    view += text;
  };
  const addBetween = (text: string) => add(structure.test(text) ? 'structure' : 'text', text, text);
  let at = 0;
  for (const { 0: written, index } of json.matchAll(literal)) {
    const decoded = decode(written);
    if (decoded === undefined) continue;
    // The quotes belong to the structure: they keep words of the context apart.
    addBetween(json.slice(at, index + 1));
    add('string', decoded, written.slice(1, -1));
    at = index + written.length - 1;
  }
  addBetween(json.slice(at));
  return {
    view,
    redact(redactions) {
      const within = redactionsWithin(redactions);
      return pieces
        .map((piece) => redactPiece(piece, within(piece.start, piece.start + piece.text.length)))
        .join('');
    },
  };
}

function decode(written: string): string | undefined {
  try {
    return JSON.parse(written) as string;
  } catch {
    return undefined;
  }
}

function redactPiece(piece: Piece, inside: readonly Redaction[]): string {
  if (inside.length === 0) return piece.written;
  if (piece.kind === 'structure') return redactNumbers(piece, inside);
  let text = '';
  let at = 0;
  for (const { start, end, placeholder } of inside) {
    const from = Math.max(start - piece.start, at);
    text += piece.text.slice(at, from);
    // A value across several pieces is replaced in the first.
    if (start >= piece.start) text += placeholder;
    at = Math.min(end - piece.start, piece.text.length);
  }
  text += piece.text.slice(at);
  return piece.kind === 'string' ? JSON.stringify(text).slice(1, -1) : text;
}

/** Between strings only numbers are values: a string stands for the whole number. */
function redactNumbers({ start: offset, text }: Piece, inside: readonly Redaction[]): string {
  let redacted = '';
  let at = 0;
  for (const { start, end, placeholder } of inside) {
    let from = Math.max(start - offset, at);
    let to = Math.min(end - offset, text.length);
    if (from >= to || !numbers.test(text.slice(from, to))) continue;
    while (from > at && numeric.test(text.charAt(from - 1))) from--;
    while (to < text.length && numeric.test(text.charAt(to))) to++;
    // `true` ends with a letter that numbers have.
    if (!/\d/u.test(text.slice(from, to))) continue;
    redacted += text.slice(at, from) + JSON.stringify(placeholder);
    at = to;
  }
  return redacted + text.slice(at);
}
