import type { Ids } from '@sluice/service';

/** The id of one request: `req-` and a UUID. */
export function requestIdOf(ids: Ids): string {
  return `req-${ids.next()}`;
}
