import { openDatabase, type Queryable } from '@sluice/read-model';

export interface CloseReplicaOptions {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  readonly replica: string;
  /** false: it is fenced, and what its leases have left stays in suspense. true: that is free, too. */
  readonly isFreed: boolean;
  /** false: only says what would be done. */
  readonly isConfirmed: boolean;
}

/** The leases and epochs that are, or would be, closed. */
export type ClosedReplica =
  | { readonly type: 'unknown' }
  /** The replica reported a moment ago, so it is alive. */
  | { readonly type: 'alive'; readonly heardAt: Date }
  | {
      readonly type: 'closed';
      readonly leases: bigint;
      /** The amount that the leases have left. */
      readonly leasedNanoUsd: bigint;
      readonly openAttempts: bigint;
    };

/** No epoch of a replica is above it. */
const lastEpoch = 2n ** 63n - 1n;
/** A live replica reports twice a second. */
const silentSeconds = 60;
const statementTimeoutMs = 600_000;

/**
 * Ends a replica whose disk is lost: no epoch of it is listened to any more. In one transaction; repeating
 * it changes nothing. Throws Fault read_model_unavailable.
 */
export async function closeReplica(options: CloseReplicaOptions): Promise<ClosedReplica> {
  const { postgresUrl: url, schema = 'ledger', replica, isFreed, isConfirmed } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  try {
    return await database.transaction(async (transaction) => {
      const [known] = await transaction.query<{ heard_at: Date; is_alive: boolean }>({
        text: `SELECT heard_at, epoch < $3 AND heard_at > now() - make_interval(secs => $2) AS is_alive
               FROM replicas WHERE replica = $1 FOR UPDATE`,
        values: [replica, silentSeconds, lastEpoch],
      });
      if (!known) return { type: 'unknown' };
      if (known.is_alive) return { type: 'alive', heardAt: known.heard_at };
      const state = await readState(transaction, replica);
      if (isConfirmed) await fence(transaction, replica, state);
      if (isConfirmed && isFreed) await free(transaction, replica);
      return { type: 'closed', ...state };
    });
  } finally {
    await database.stop();
  }
}

interface State {
  readonly leases: bigint;
  readonly leasedNanoUsd: bigint;
  readonly openAttempts: bigint;
}

async function readState(transaction: Queryable, replica: string): Promise<State> {
  const [state] = await transaction.query<State>({
    text: `
      SELECT count(*) AS leases, coalesce(
          sum(greatest(0, granted_nano_usd - returned_nano_usd - counted_nano_usd)), 0
        )::bigint AS "leasedNanoUsd",
        (SELECT count(*) FROM open_attempts WHERE replica = $1) AS "openAttempts"
      FROM leases WHERE replica = $1`,
    values: [replica],
  });
  if (!state) throw new Error('sums have a row');
  return state;
}

async function fence(transaction: Queryable, replica: string, state: State): Promise<void> {
  await transaction.query({
    text: 'UPDATE replicas SET epoch = $2 WHERE replica = $1',
    values: [replica, lastEpoch],
  });
  await transaction.query({
    text: `INSERT INTO closed_replicas (replica, leases, leased_nano_usd, open_attempts)
           VALUES ($1, $2, $3, $4) ON CONFLICT (replica) DO NOTHING`,
    values: [replica, state.leases, state.leasedNanoUsd, state.openAttempts],
  });
}

/**
 * Releases the admissions that were never counted: no process is left that could settle them. Of days whose facts are
 * archived the reports of the replica stay.
 */
async function free(transaction: Queryable, replica: string): Promise<void> {
  const values = [replica];
  await transaction.query({ text: 'DELETE FROM leases WHERE replica = $1', values });
  await transaction.query({ text: 'DELETE FROM open_attempts WHERE replica = $1', values });
  await transaction.query({
    text: `
      WITH counted AS (
        SELECT fact.account_id, (admitted_at AT TIME ZONE 'UTC')::date AS day, count(*) AS facts
        FROM usage_facts AS fact JOIN admission_reports AS report
          ON report.replica = fact.replica AND fact.epoch >= report.first_epoch
        WHERE fact.replica = $1 GROUP BY 1, 2
      ), archived AS (
        SELECT coalesce(max(day), '-infinity') AS day FROM archives
      )
      UPDATE admissions AS sum SET
        admitted = greatest(old.admitted, coalesce(facts, 0)), settled = coalesce(facts, 0),
        released = greatest(old.admitted, coalesce(facts, 0)) - coalesce(facts, 0)
      FROM admissions AS old LEFT JOIN counted USING (account_id, day)
      WHERE old.replica = $1 AND old.day > (SELECT archived.day FROM archived)
        AND (sum.replica, sum.account_id, sum.day) = (old.replica, old.account_id, old.day)`,
    values,
  });
  await transaction.query({
    text: `UPDATE admission_reports SET epoch = $2, settled_sequence = $2 WHERE replica = $1`,
    values: [replica, lastEpoch],
  });
  await transaction.query({
    text: 'UPDATE closed_replicas SET freed_at = coalesce(freed_at, now()) WHERE replica = $1',
    values,
  });
}
