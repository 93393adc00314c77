const asciiPerToken = 4;

/**
 * Returns the beginning of a text that has about so many tokens: four characters of ASCII are one, and each other
 * character is one. A character is never cut.
 */
export function cutToTokens(
  text: string,
  tokensMax: number,
): { readonly text: string; readonly isCut: boolean } {
  const quartersMax = tokensMax * asciiPerToken;
  if (text.length * asciiPerToken <= quartersMax) return { text, isCut: false };
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // The second half of a character belongs to the first.
    if (code >= 0xdc_00 && code <= 0xdf_ff) continue;
    quarters += code < 0x80 ? 1 : asciiPerToken;
    if (quarters > quartersMax) return { text: text.slice(0, at), isCut: true };
  }
  return { text, isCut: false };
}
