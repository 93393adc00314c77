const exact = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 });
const short = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 6 });

/** Writes every digit of a number, without an exponent: a nano-USD is 0.000000001. */
export const plainNumber = (value: number): string => exact.format(value);

/** Writes a number for a picture: a whole one exactly, others with six digits. */
export const shortNumber = (value: number): string =>
  (Number.isInteger(value) ? exact : short).format(value);
