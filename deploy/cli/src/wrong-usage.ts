/** The words make no command; the message says what is wrong with them. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

const shownLengthMax = 80;

/** A word as it was typed, without what a terminal would obey. */
export function shown(word: string): string {
  return JSON.stringify(word.slice(0, shownLengthMax));
}
