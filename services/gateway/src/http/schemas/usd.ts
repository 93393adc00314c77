const jsonNumberPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
const textLengthMax = 64;
const nanoPlaces = 9;
/** So many significant digits a double keeps. More of them are what its arithmetic left. */
const exactDigitsMax = 15;

/**
 * The text of a JSON number, in USD → nano-USD. Exact, but that the noise of floats is rounded away:
 * 1.1400000000000001 is 1.14. undefined when it is negative, finer than a nano-USD or no number that
 * could be money.
 */
export function parseUsd(text: string): bigint | undefined {
  const match = text.length <= textLengthMax ? jsonNumberPattern.exec(text) : null;
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0n;
  if (sign === '-') return undefined;
  const places = Number(exponent) - fraction.length + nanoPlaces;
  if (places >= 0) return places <= textLengthMax ? digits * 10n ** BigInt(places) : undefined;
  const divisor = 10n ** BigInt(-places);
  if (digits % divisor === 0n) return digits / divisor;
  if (digits.toString().length <= exactDigitsMax) return undefined;
  const rounded = (digits + divisor / 2n) / divisor;
  // An amount that is there must not become none.
  return rounded === 0n ? undefined : rounded;
}
