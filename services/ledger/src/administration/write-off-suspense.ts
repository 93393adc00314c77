import { openDatabase } from '@sluice/read-model';
import { postCorrections } from '../commands/correct-usage.ts';
import { writeOff } from '../domain/usage/correction.ts';
import { lockEstimates } from '../store/lock-estimates.ts';

export interface WriteOffOptions {
  readonly postgresUrl: string;
  /** `ledger` when absent; only tests set it. */
  readonly schema?: string;
  /** Estimates that were counted before this instant. */
  readonly before: Date;
  /** All providers when absent. */
  readonly provider?: string | undefined;
  /** false: only says what would be written off. */
  readonly isConfirmed: boolean;
}

/** The amounts that are, or would be, in suspense no longer, of customers and of the operator. Nano-USD. */
export interface WrittenOff {
  readonly estimates: bigint;
  readonly suspendedNanoUsd: bigint;
  readonly claimedNanoUsd: bigint;
}

const batchSize = 500;
const statementTimeoutMs = 600_000;

const old = `
  FROM estimates JOIN usage_facts USING (usage_id)
  WHERE corrected_at IS NULL
    AND suspended_nano_usd + operator_suspended_nano_usd + claimed_nano_usd > 0
    AND opened_at < $1 AND ($2::text IS NULL OR provider = $2)`;

/**
 * Empties the suspense of old estimates: what they were charged stays, the rest is free for good. Batch by
 * batch. Throws Fault read_model_unavailable.
 */
export async function writeOffSuspense(options: WriteOffOptions): Promise<WrittenOff> {
  const { postgresUrl: url, schema = 'ledger', before, provider = null, isConfirmed } = options;
  const database = openDatabase({ url, schema, connectionsMax: 1, statementTimeoutMs });
  const values = [before.toISOString(), provider];
  try {
    const [found] = await database.query<WrittenOff>({
      text: `SELECT count(*) AS estimates,
               coalesce(sum(suspended_nano_usd + operator_suspended_nano_usd), 0)::bigint AS "suspendedNanoUsd",
               coalesce(sum(claimed_nano_usd), 0)::bigint AS "claimedNanoUsd" ${old}`,
      values,
    });
    let written = { estimates: 0n, suspendedNanoUsd: 0n, claimedNanoUsd: 0n };
    if (!isConfirmed) return found ?? written;
    for (;;) {
      const corrections = await database.transaction(async (transaction) => {
        const next = await transaction.query<{ usage_id: string }>({
          text: `SELECT usage_id ${old} ORDER BY usage_id LIMIT ${batchSize}`,
          values,
        });
        const usageIds = next.map(({ usage_id }) => usage_id);
        const batch = (await lockEstimates(transaction, usageIds)).map(writeOff);
        await postCorrections(transaction, batch);
        return batch;
      });
      if (corrections.length === 0) return written;
      for (const { fact } of corrections)
        written = {
          estimates: written.estimates + 1n,
          suspendedNanoUsd:
            written.suspendedNanoUsd + fact.suspendedNanoUsd + fact.operatorSuspendedNanoUsd,
          claimedNanoUsd: written.claimedNanoUsd + fact.claimedNanoUsd,
        };
    }
  } finally {
    await database.stop();
  }
}
