import type { Projection } from '@sluice/read-model';
import { type Job, runSync, type RunSyncDependencies } from '../commands/run-sync.ts';
import { scimSyncEvents } from '../store/scim-sync-events.ts';

/**
 * Runs the jobs that were requested, one after the other. The checkpoint moves when a job is finished:
 * where the process dies in between, the next one runs it again.
 */
export function runSyncs(dependencies: RunSyncDependencies): Projection {
  const run = runSync(dependencies);
  return {
    projection: 'account.run_syncs',
    version: 1,
    streamPrefixes: [scimSyncEvents.streamPrefix],
    tables: [],
    async apply(_transaction, events) {
      for (const recorded of events) {
        const event = scimSyncEvents.decode(recorded);
        if (event.type !== 'ScimSyncRequested') continue;
        const { accountId, jobId } = event.data;
        await run({ accountId, jobId } satisfies Job);
      }
    },
  };
}
