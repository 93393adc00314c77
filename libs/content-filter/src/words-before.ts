/**
 * Returns whether one of the words stands shortly before a place. The pattern is tested on the part of the text that
 * ends there.
 */
export function hasBefore(
  text: string,
  start: number,
  pattern: RegExp,
  charactersMax: number,
): boolean {
  return start > 0 && pattern.test(text.slice(Math.max(0, start - charactersMax), start));
}
