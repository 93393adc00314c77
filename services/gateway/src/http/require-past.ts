import type { Clock } from '@sluice/clock-and-ids';
import { invalidValue } from '@sluice/errors';

/** Throws invalid_request, with the path of the field, for a day that does not exist and for a time to come. */
export function requirePast(path: string, text: string, clock: Clock): Date {
  const instant = new Date(text);
  // A 30 February would silently be another day.
  if (Number.isNaN(instant.getTime()) || !instant.toISOString().startsWith(text.slice(0, 10)))
    throw invalidValue(path, 'must be a day that exists');
  if (instant > clock.now()) throw invalidValue(path, 'must not be in the future');
  return instant;
}
