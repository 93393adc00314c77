import type { Queryable } from '@sluice/read-model';

/** The figures that an operator watches. */
export interface LedgerState {
  readonly deadLetters: bigint;
  readonly estimates: bigint;
  readonly suspended: bigint;
  /** Claims of providers included. */
  readonly suspendedNanoUsd: bigint;
  /** 0: nothing is in suspense. */
  readonly suspenseAgeSeconds: number;
}

const text = `
  SELECT (SELECT count(*) FROM dead_letters) AS "deadLetters", count(*) AS estimates,
    count(*) FILTER (WHERE amount > 0) AS suspended,
    coalesce(sum(amount), 0)::bigint AS "suspendedNanoUsd",
    coalesce(extract(epoch FROM now() - min(opened_at) FILTER (WHERE amount > 0)), 0)::float8
      AS "suspenseAgeSeconds"
  FROM (
    SELECT opened_at, suspended_nano_usd + claimed_nano_usd AS amount
    FROM estimates WHERE corrected_at IS NULL
  ) AS open`;

/** Reads the figures of all accounts. */
export async function readLedgerState(readModel: Queryable): Promise<LedgerState> {
  const [state] = await readModel.query<LedgerState>({
    name: 'read-ledger-state',
    text,
    values: [],
  });
  if (!state) throw new Error('sums have a row');
  return state;
}
