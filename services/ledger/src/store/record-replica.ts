import type { Queryable } from '@sluice/read-model';

/** A replica: the directory of a spool, and how often it was opened. */
export interface ReplicaEpoch {
  readonly replica: string;
  readonly epoch: bigint;
}

/** A replica without a report for this long gets no share of the rest. */
const silentSeconds = 15;

const record = `
  INSERT INTO replicas AS known (replica, epoch, heard_at) VALUES ($1, $2, now())
  ON CONFLICT (replica) DO UPDATE SET epoch = excluded.epoch, heard_at = excluded.heard_at
    WHERE known.epoch < excluded.epoch
      OR (known.epoch = excluded.epoch AND known.heard_at < now() - interval '1 second')`;

/** Records that a replica is alive, at most once a second. The first record of an epoch replaces the epoch before. */
export async function recordReplica(
  database: Queryable,
  { replica, epoch }: ReplicaEpoch,
): Promise<void> {
  await database.query({ name: 'record-replica', text: record, values: [replica, epoch] });
}

const newest = (lock: string) => `SELECT epoch FROM replicas WHERE replica = $1 ${lock}`;

/** The newest epoch of a replica, which cannot change until the transaction has ended. */
export async function newestEpoch(
  transaction: Queryable,
  replica: string,
  lock: 'FOR SHARE' | 'FOR UPDATE',
): Promise<bigint | undefined> {
  const name = lock === 'FOR SHARE' ? 'share-epoch' : 'lock-epoch';
  const statement = { name, text: newest(lock), values: [replica] };
  const [row] = await transaction.query<{ epoch: bigint }>(statement);
  return row?.epoch;
}

/** Returns the number of replicas that reported lately. */
export async function countReplicas(transaction: Queryable): Promise<bigint> {
  const [row] = await transaction.query<{ count: bigint }>({
    name: 'count-replicas',
    text: `SELECT count(*) AS count FROM replicas
           WHERE heard_at > now() - make_interval(secs => $1)`,
    values: [silentSeconds],
  });
  return row?.count ?? 0n;
}
