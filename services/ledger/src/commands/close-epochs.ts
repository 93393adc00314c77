import { Fault } from '@sluice/errors';
import type { Database } from '@sluice/read-model';
import { recordReplica, newestEpoch, type ReplicaEpoch } from '../store/record-replica.ts';
import { endLeasesBefore } from '../store/write-leases.ts';

/**
 * Ends the leases of all earlier epochs of a replica, whose usage is all counted: its living epoch,
 * which has their spool, says so. Answers what is free again. Throws conflict when it does not live.
 */
export async function closeEpochs(database: Database, writer: ReplicaEpoch): Promise<bigint> {
  await recordReplica(database, writer);
  return await database.transaction(async (transaction) => {
    const newest = await newestEpoch(transaction, writer.replica, 'FOR UPDATE');
    if (newest !== writer.epoch)
      throw new Fault('conflict', { message: 'A newer epoch of this replica is known' });
    return await endLeasesBefore(transaction, writer);
  });
}
