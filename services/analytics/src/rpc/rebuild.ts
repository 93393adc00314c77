import { Fault } from '@sluice/errors';
import type { RebuildRequest, RebuildResponse } from '@sluice/protos/sluice/analytics/v1/analytics';
import type { Rebuilder } from '../reactions/rebuild.ts';

/** Begins a rebuild, or says how far it is. */
export function rebuildRpc(rebuilder: Rebuilder | undefined) {
  return async ({ begin }: RebuildRequest): Promise<RebuildResponse> => {
    if (!rebuilder)
      throw new Fault('unavailable', {
        message: 'Tables in ClickHouse are made again when their database is dropped',
      });
    if (begin) await rebuilder.begin();
    const { isUnderWay, facts } = await rebuilder.progress();
    return { underWay: isUnderWay, facts };
  };
}
