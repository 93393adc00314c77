import type { PriceOverride } from './catalog.ts';

/** Hours and minutes of a day: `0930`. */
export const timePattern = '^([01]\\d|2[0-3])[0-5]\\d$';

type Window = Pick<PriceOverride, 'utc_start' | 'utc_end' | 'utc_days'>;

/** Returns true if the price depends on when a request comes in. */
export function isTimed({ utc_start: start, utc_end: end, utc_days: days }: Window): boolean {
  return [start, end, days].some((condition) => condition !== undefined);
}

/**
 * Returns true if the instant is in the window: on one of its days, from its start on and before its end. A window may
 * pass midnight.
 */
export function isWithin(
  { utc_start: start, utc_end: end, utc_days: days }: Window,
  instant: Date,
): boolean {
  if (days && !days.includes(instant.getUTCDay())) return false;
  if (start === undefined || end === undefined) return true;
  const time = instant.toISOString().slice(11, 16).replace(':', '');
  return end < start ? time >= start || time < end : time >= start && time < end;
}
