import { asObject } from '../json-reader.ts';
import type { ServedUsage } from '../served-usage.ts';
import { chatUsage } from './usage.ts';

/** Reads the usage from the body of `GET /chat/completions/{id}`. Only ended completions are stored. */
export function storedCompletion(body: unknown): ServedUsage {
  const usage = chatUsage(asObject(asObject(body)?.['usage']));
  return usage ? { type: 'served', usage, isFailed: false } : { type: 'unknown' };
}
