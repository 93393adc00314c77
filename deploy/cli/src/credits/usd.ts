const usdPattern = /^(\d{1,10})(?:\.(\d{1,9}))?$/;
const nanoPerUsd = 1_000_000_000n;
const nanoPlaces = 9;
const centPlaces = 2;

/** Decimal USD → nano-USD, exactly; undefined when it is no plain decimal or finer than that. */
export function parseUsd(text: string): bigint | undefined {
  const match = usdPattern.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return BigInt(whole + fraction.padEnd(nanoPlaces, '0'));
}

/** `1,234.50 USD`: exact, with two decimal places or as many as it needs. */
export function formatUsd(nanoUsd: bigint): string {
  const amount = nanoUsd < 0n ? -nanoUsd : nanoUsd;
  const fraction = String(amount % nanoPerUsd).padStart(nanoPlaces, '0');
  const shown = fraction.slice(0, centPlaces) + fraction.slice(centPlaces).replace(/0+$/, '');
  const whole = new Intl.NumberFormat('en-US').format(amount / nanoPerUsd);
  return `${nanoUsd < 0n ? '-' : ''}${whole}.${shown} USD`;
}
