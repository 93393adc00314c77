const end = /(?<=[\p{Ll}\p{N}]{3}["'”’)\]]{0,2})[.!?…]["'”’)\]]{0,2}\s|[。！？]|\n/gu;
/** A sentence without an end is cut here, at its last blank. */
const charactersMax = 2_000;

/**
 * Returns the place behind the next end of a sentence, or undefined if it is not there yet. It depends on the text from
 * `start` alone, not on how much of the text has arrived.
 */
export function sentenceEnd(text: string, start: number): number | undefined {
  end.lastIndex = start;
  const match = end.exec(text.slice(0, start + charactersMax));
  if (match) return match.index + match[0].length;
  if (text.length - start <= charactersMax) return undefined;
  const blank = text.lastIndexOf(' ', start + charactersMax - 1);
  return blank > start ? blank + 1 : start + charactersMax;
}
