import type { CacheMarker } from '@sluice/inference';
import { Fields } from './fields.ts';
import type { Issues } from './issues.ts';

/** `cache_control` of a body or a part. */
export function parseCacheControl(parent: Fields, issues: Issues): CacheMarker | undefined {
  const control = parent.object('cache_control');
  if (!control) return undefined;
  const fields = new Fields(control, { path: parent.path('cache_control'), issues });
  if (!fields.has('type')) return fields.refuse('type', 'is required');
  const type = fields.oneOf('type', ['ephemeral']);
  const ttl = fields.oneOf('ttl', ['5m', '1h']) ?? '5m';
  return type && { ttl };
}
