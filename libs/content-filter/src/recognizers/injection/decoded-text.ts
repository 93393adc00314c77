import type { Span } from '../../span.ts';

/** A text that an encoded run of the original hides. */
export interface DecodedText extends Span {
  readonly encoding: 'base64' | 'hex';
  readonly text: string;
}

const decodedMax = 64;
const bytesMax = 65_536;
const probesMax = 4_096;
const probedBytes = 48;
const printableMin = 0.9;
const base64Min = 20;
const hexDigitsMin = 24;
const linesMax = 2_000;
/** A wrapped run has lines of this length at least. */
const lineMin = 16;

function charactersOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 0x80 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

const base64Characters = charactersOf(/[A-Za-z0-9+/_-]/u);
const hexListCharacters = charactersOf(/[0-9A-Fa-fxXu\\%:;, \t\r\n-]/u);
const hexDigits = /[0-9A-Fa-f]{24,}/gu;
const hexPairs = new RegExp(
  [
    String.raw`(?:\\x|\\u00|%|(?<![0-9A-Za-z])(?:0x)?)[0-9A-Fa-f]{2}(?:[ :;,\t\r\n-]{0,3}(?:\\x|\\u00|%|`,
    String.raw`0x)?[0-9A-Fa-f]{2}){11,65536}`,
  ].join(''),
  'gu',
);
const hexMarks = /\\x|\\u00|0x|[^0-9A-Fa-f]/gu;
/** Twelve pairs with one space between them. */
const hexListMin = 35;

function isOf(characters: Uint8Array, text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 0x80 && characters[code] === 1;
}

/**
 * Yields the runs of at least `min` of the characters. It looks at one character in `min` and
 * reads on only from there.
 */
function* runsOf(text: string, characters: Uint8Array, min: number): Generator<Span> {
  let floor = 0;
  for (let at = min - 1; at < text.length; at += min) {
    if (!isOf(characters, text, at)) continue;
    let [start, end] = [at, at + 1];
    while (start > floor && isOf(characters, text, start - 1)) start -= 1;
    while (end < text.length && isOf(characters, text, end)) end += 1;
    if (end - start >= min) yield { start, end };
    floor = end;
    at = Math.max(at, end - 1);
  }
}

/** The part of the bytes that are letters, signs or spaces. */
function printablePart(bytes: Uint8Array): number {
  let printable = 0;
  for (const byte of bytes)
    if ((byte >= 0x20 && byte < 0x7f) || (byte >= 0x09 && byte <= 0x0d)) printable += 1;
  return bytes.length === 0 ? 0 : printable / bytes.length;
}

/** Returns null if the decoded bytes are not a text. UTF-8 beyond ASCII counts as printable. */
function printableText(bytes: Buffer): string | null {
  if (printablePart(bytes) >= printableMin) return bytes.toString('utf8');
  const text = bytes.toString('utf8');
  let unprintable = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isControl = code < 0x20 && !(code >= 0x09 && code <= 0x0d);
    if (isControl || code === 0xff_fd || (code >= 0x7f && code < 0xa0)) unprintable += 1;
  }
  return unprintable <= text.length * (1 - printableMin) ? text : null;
}

interface Budget {
  texts: number;
  bytes: number;
  probes: number;
}

function decode(written: string, encoding: 'base64' | 'hex', budget: Budget): string | null {
  if (budget.texts <= 0 || budget.bytes <= 0 || budget.probes <= 0) return null;
  budget.probes -= 1;
  const perByte = encoding === 'hex' ? 2 : 4 / 3;
  if (written.length > probedBytes * perByte) {
    const probe = Buffer.from(written.slice(0, Math.floor(probedBytes * perByte)), encoding);
    // Loose: an attack may follow some bytes of a misread beginning.
    if (printablePart(probe) < printableMin / 2) return null;
  }
  const part = written.slice(0, Math.floor(budget.bytes * perByte));
  const bytes = Buffer.from(part, encoding);
  budget.bytes -= bytes.length;
  const text = bytes.length > 0 ? printableText(bytes) : null;
  if (text !== null) budget.texts -= 1;
  return text;
}

/** Returns the end of a run with the lines that go on with it. */
function wrappedEnd(text: string, end: number): number {
  let wrapped = end;
  for (let lines = 0; lines < linesMax; lines += 1) {
    let at = wrapped;
    if (text[at] === '\r') at += 1;
    if (text[at] !== '\n') return wrapped;
    at += 1;
    for (let blanks = 0; blanks < 8 && ' \t>'.includes(text[at] ?? '\n'); blanks += 1) at += 1;
    const start = at;
    while (at < text.length && isOf(base64Characters, text, at)) at += 1;
    if (at - start < 2) return wrapped;
    wrapped = at;
  }
  return wrapped;
}

/** Decodes at the four beginnings a group of base64 may have: a prefix may be glued on. */
function decodeBase64(written: string, budget: Budget): string | null {
  const plain = written.replaceAll(/[^A-Za-z0-9+/_-]/gu, '');
  if (plain.length < base64Min) return null;
  for (let shift = 0; shift < 4; shift += 1) {
    const text = decode(shift === 0 ? plain : plain.slice(shift), 'base64', budget);
    if (text !== null) return text;
  }
  return null;
}

function* fromBase64(text: string, budget: Budget): Generator<DecodedText> {
  let done = 0;
  for (const { start, end } of runsOf(text, base64Characters, lineMin)) {
    if (budget.texts <= 0 || budget.bytes <= 0 || budget.probes <= 0) return;
    if (start < done) continue;
    const written = text.slice(start, Math.min(end, start + 2 * bytesMax));
    for (const match of written.matchAll(hexDigits)) {
      const from = start + match.index;
      const decoded = decode(match[0], 'hex', budget);
      if (decoded !== null)
        yield { start: from, end: from + match[0].length, encoding: 'hex', text: decoded };
    }
    const wrapped = wrappedEnd(text, end);
    const whole = wrapped > end ? decodeBase64(text.slice(start, wrapped), budget) : null;
    const decoded = whole ?? decodeBase64(written, budget);
    if (decoded === null) continue;
    done = whole === null ? end : wrapped;
    for (let padding = 0; padding < 2 && text[done] === '='; padding += 1) done += 1;
    yield { start, end: done, encoding: 'base64', text: decoded };
  }
}

function* fromHexPairs(text: string, budget: Budget): Generator<DecodedText> {
  for (const run of runsOf(text, hexListCharacters, hexListMin)) {
    if (budget.texts <= 0 || budget.bytes <= 0 || budget.probes <= 0) return;
    const written = text.slice(run.start, Math.min(run.end, run.start + 6 * bytesMax));
    for (const { 0: pairs, index } of written.matchAll(hexPairs)) {
      const digits = pairs.replaceAll(hexMarks, '');
      // Bare digits are found as a run of their own.
      if (digits.length < hexDigitsMin || digits.length === pairs.length) continue;
      const decoded = decode(digits, 'hex', budget);
      const start = run.start + index;
      if (decoded !== null)
        yield { start, end: start + pairs.length, encoding: 'hex', text: decoded };
    }
  }
}

/** Yields the texts that base64 and hexadecimal runs hide, as many as the bounds allow. */
export function* decodedTexts(text: string): Generator<DecodedText> {
  const budget: Budget = { texts: decodedMax, bytes: bytesMax, probes: probesMax };
  yield* fromHexPairs(text, budget);
  yield* fromBase64(text, budget);
}
