/** The words that clients of Anthropic's API know: they compact the conversation, or ask for less output. */
const known = /prompt is too long|exceed context limit: \d/i;
const number = /\d[\d,_]*/g;
/** Smaller numbers count something else, as choices or a version. */
const tokensMin = 16;

/**
 * Returns the message about a request that is too long in the words of Anthropic's API: `prompt is too long: N tokens >
 * M maximum`. N and M are the two largest numbers of the message. Without them the message follows instead.
 */
export function promptTooLong(message: string): string {
  if (known.test(message)) return message;
  const counts = (message.match(number) ?? []).map((digits) =>
    Number(digits.replaceAll(/[,_]/g, '')),
  );
  const [tokens, max] = [...new Set(counts)]
    .filter((count) => count >= tokensMin && Number.isSafeInteger(count))
    .toSorted((one, other) => other - one);
  return tokens === undefined || max === undefined
    ? `prompt is too long: ${message}`
    : `prompt is too long: ${String(tokens)} tokens > ${String(max)} maximum (${message})`;
}
