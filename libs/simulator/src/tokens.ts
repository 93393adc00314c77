const bytesPerToken = 4;

/** One token per four UTF-8 bytes, rounded up: simple enough that anyone can check a receipt. */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** The longest beginning of a text that has at most so many tokens; no character is split. */
export function firstTokens(text: string, tokensMax: number): string {
  const bytesMax = tokensMax * bytesPerToken;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString();
}
