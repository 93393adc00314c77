/** `1e-7` and the like: how small and large numbers are written. */
const exponentPattern = /^(\d+)(?:\.(\d+))?e([+-]\d+)$/;

/**
 * A number divided by a power of ten, as decimal text: its digits are those that it was written with, and only the
 * point is moved. undefined: it is negative or no number.
 */
export function dividedByTen(value: number, places: number): string | undefined {
  if (!Number.isFinite(value) || value < 0) return undefined;
  const text = String(value);
  const [, whole = text.split('.')[0] ?? '', fraction = text.split('.')[1] ?? '', exponent = '0'] =
    exponentPattern.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) - places;
  const left = digits.slice(0, Math.max(point, 0)).padEnd(Math.max(point, 0), '0');
  const right = '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  const integer = left.replace(/^0+(?=\d)/, '') || '0';
  const decimals = right.replace(/0+$/, '');
  return decimals === '' ? integer : `${integer}.${decimals}`;
}
