import { asObject } from '../json-reader.ts';
import type { ServedUsage } from '../served-usage.ts';
import { responsesUsage } from './usage.ts';

/** Reads the usage from the body of `GET /responses/{id}`. */
export function storedResponse(body: unknown): ServedUsage {
  const response = asObject(body);
  switch (response?.['status']) {
    case 'queued':
    case 'in_progress':
      return { type: 'running' };
    case 'completed':
    case 'incomplete':
    case 'cancelled':
    case 'failed': {
      const usage = responsesUsage(asObject(response['usage']));
      const isFailed = response['status'] === 'failed';
      return usage ? { type: 'served', usage, isFailed } : { type: 'unknown' };
    }
    default:
      return { type: 'unknown' };
  }
}
