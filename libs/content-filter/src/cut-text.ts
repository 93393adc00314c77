import type { Span } from './span.ts';

/** Cuts a text into pieces of about a length, at the last line break or blank of each. */
export function* cutText(text: string, charactersMax: number): Generator<Span> {
  let start = 0;
  while (text.length - start > charactersMax) {
    const end = cutBefore(text, start, start + charactersMax);
    yield { start, end };
    start = end;
  }
  yield { start, end: text.length };
}

const lookBackMax = 512;

function cutBefore(text: string, start: number, end: number): number {
  const tail = text.slice(Math.max(start, end - lookBackMax), end);
  const lineBreak = tail.lastIndexOf('\n');
  const cut = lineBreak === -1 ? tail.lastIndexOf(' ') : lineBreak;
  return cut === -1 ? end : end - tail.length + cut + 1;
}
