/** `JSON.stringify` writes half a character so. `\\ud` stands in the text of a backslash and `ud`, too. */
const halfMark = '\\ud';
const halfOrEscape = /\\ud[89a-f][0-9a-f]{2}|\\[^u]/g;

/**
 * Returns the JSON text of a body. Half a character, as a client leaves it that cuts a text, becomes U+FFFD: providers
 * refuse it, and every later turn of the conversation has it again.
 */
export function wellFormedJson(body: unknown): string {
  const text = JSON.stringify(body);
  if (!text.includes(halfMark)) return text;
  return text.replaceAll(halfOrEscape, (found) => (found.startsWith(halfMark) ? '\ufffd' : found));
}

const halfEscape = /\\u[dD][89a-fA-F]/;
/** Pairs of halves and other escapes are kept. */
const pairOrHalf =
  /(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[^u])|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/g;

/** Returns a JSON text, such as the arguments of a call, without escapes of half characters. */
export function withoutHalfEscapes(json: string): string {
  if (!halfEscape.test(json)) return json;
  return json.replaceAll(pairOrHalf, (_found, kept?: string) => kept ?? String.raw`\ufffd`);
}
