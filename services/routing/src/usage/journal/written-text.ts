declare global {
  interface JSON {
    /** What `stringify` writes as it is. */
    rawJSON(json: string): object;
  }
}

const textsMax = 1_000;
const charactersMax = 1_000;

/** Bounded: a megabyte at most. */
const known = new Map<string, object>();

/**
 * A text that is written into one JSON after the other, as its JSON: to look for what has to be escaped costs more
 * than all else of writing one that is full of quotes. A long one is seldom the same twice, and stays a text.
 */
export function writtenText(text: string): string | object {
  if (text.length > charactersMax) return text;
  const before = known.get(text);
  if (before) return before;
  const written = JSON.rawJSON(JSON.stringify(text));
  if (known.size >= textsMax) known.clear();
  known.set(text, written);
  return written;
}
