const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Whole, with commas. */
export function count(amount: number | bigint): string {
  return format.format(amount);
}

/** `1 event`, `2,000 events`. */
export function counted(amount: number | bigint, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 || amount === 1n ? '' : 's'}`;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
] as const;

/** About how long, in the largest unit that fits. */
export function duration(seconds: number): string {
  const unit = units.find((each) => seconds >= 2 * each.seconds);
  return unit ? `${count(seconds / unit.seconds)} ${unit.name}` : `${seconds.toFixed(1)} s`;
}
