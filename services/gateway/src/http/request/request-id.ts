import type { Ids } from '@sluice/clock-and-ids';

/** The id of one request: `req-` and a UUID. */
export function requestIdOf(ids: Ids): string {
  return `req-${ids.next()}`;
}
