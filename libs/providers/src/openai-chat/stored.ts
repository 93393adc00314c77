import { asObject } from '../json-reader.ts';
import type { ServedUsage } from '../usage-lookup.ts';
import { chatUsage } from './usage.ts';

/** What the body of `GET /chat/completions/{id}` says was served: only what has ended is stored. */
export function storedCompletion(body: unknown): ServedUsage {
  const usage = chatUsage(asObject(asObject(body)?.['usage']));
  return usage ? { type: 'served', usage, isFailed: false } : { type: 'unknown' };
}
