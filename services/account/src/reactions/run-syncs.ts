import { type Projection, streamReaction } from '@sluice/read-model';
import { runSync, type RunSyncDependencies } from '../commands/run-sync.ts';
import { scimSyncEvents } from '../store/scim-sync-events.ts';

/**
 * Runs the jobs that were requested, one after the other. The checkpoint moves when a job is finished:
 * where the process dies in between, the next one runs it again.
 */
export function runSyncs(dependencies: RunSyncDependencies): Projection {
  const run = runSync(dependencies);
  const facts = { projection: 'account.run_syncs', version: 1 };
  return streamReaction(scimSyncEvents, facts, async (event) => {
    if (event.type !== 'ScimSyncRequested') return;
    const { accountId, jobId } = event.data;
    await run({ accountId, jobId });
  });
}
