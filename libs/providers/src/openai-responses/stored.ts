import { asObject } from '../json-reader.ts';
import { isSearchItem } from '../native-calls.ts';
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
      if (!usage) return { type: 'unknown' };
      const webSearches = searchesIn(response['output']);
      const counted = webSearches > 0 ? { ...usage, webSearches } : usage;
      return { type: 'served', usage: counted, isFailed };
    }
    default:
      return { type: 'unknown' };
  }
}

/** Returns the number of searches that the provider charges for beside the tokens. */
function searchesIn(output: unknown): number {
  if (!Array.isArray(output)) return 0;
  return output.filter((item: unknown) => isSearchItem(asObject(item) ?? {})).length;
}
