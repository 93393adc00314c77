import type { AccountReads } from '@sluice/read-model';
import { windowStartOf } from './read-budget-proof.ts';
import { countedSince } from './read-past-credits.ts';
import type { KeyUsageAmounts } from './read-key-usage.ts';
import type { WindowAmounts } from './window-starts.ts';

export interface PastKeyUsageQuestion {
  readonly accountId: string;
  readonly keyHashes: readonly string[];
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface PastKeyUsage extends KeyUsageAmounts {
  /** null: no request of the key was counted by then. */
  readonly lastUsedAt: Date | null;
}

const kinds = ['lifetime', 'daily', 'weekly', 'monthly'] as const;

const text = `
  SELECT asked.key_hash AS "keyHash", asked.window_kind AS "windowKind",
    (coalesce(spent.credits_nano_usd, 0) - coalesce(later.credits, 0))::bigint AS credits,
    (coalesce(spent.byok_nano_usd, 0) - coalesce(later.byok, 0))::bigint AS byok,
    (SELECT fact.admitted_at FROM usage_facts AS fact
      WHERE fact.account_id = $1 AND fact.key_hash = asked.key_hash AND fact.counted_at <= $2
        AND asked.window_kind = 'lifetime'
      ORDER BY fact.admitted_at DESC LIMIT 1) AS "lastUsedAt"
  FROM (
    SELECT key_hash, window_kind, ${windowStartOf('window_kind', '$2::timestamptz')} AS window_start
    FROM unnest($3::text[]) AS key_hash CROSS JOIN unnest($4::text[]) AS window_kind
  ) AS asked
  LEFT JOIN (SELECT * FROM counters WHERE account_id = $1 AND scope_kind = 'key') AS spent
    ON spent.scope_id = asked.key_hash AND spent.window_kind = asked.window_kind
      AND spent.window_start = asked.window_start
  LEFT JOIN (
    SELECT key_hash, window_kind, ${windowStartOf('window_kind', 'admitted_at')} AS window_start,
      sum(credits) AS credits, sum(byok) AS byok
    FROM (${countedSince}) AS counted CROSS JOIN unnest($4::text[]) AS window_kind
    WHERE key_hash = ANY($3::text[])
    GROUP BY 1, 2, 3
  ) AS later ON later.key_hash = asked.key_hash AND later.window_kind = asked.window_kind
    AND later.window_start = asked.window_start`;

interface Row {
  readonly keyHash: string;
  readonly windowKind: (typeof kinds)[number];
  readonly credits: bigint;
  readonly byok: bigint;
  readonly lastUsedAt: Date | null;
}

/** Returns the spend of keys that was counted by an instant, in the windows of that instant: one row per key. */
export async function readPastKeyUsage(
  readModel: AccountReads,
  { accountId, keyHashes, at }: PastKeyUsageQuestion,
): Promise<readonly PastKeyUsage[]> {
  const values = [accountId, at, keyHashes, kinds];
  const rows = await readModel
    .forAccount(accountId)
    .query<Row>({ name: 'read-past-key-usage', text, values });
  return keyHashes.map((keyHash) => {
    const own = rows.filter((row) => row.keyHash === keyHash);
    const lastUsedAt = own.find(({ windowKind }) => windowKind === 'lifetime')?.lastUsedAt ?? null;
    return { keyHash, credits: amounts(own, 'credits'), byok: amounts(own, 'byok'), lastUsedAt };
  });
}

function amounts(rows: readonly Row[], column: 'credits' | 'byok'): WindowAmounts {
  const of = (kind: Row['windowKind']) =>
    rows.find(({ windowKind }) => windowKind === kind)?.[column] ?? 0n;
  return {
    lifetimeNanoUsd: of('lifetime'),
    dailyNanoUsd: of('daily'),
    weeklyNanoUsd: of('weekly'),
    monthlyNanoUsd: of('monthly'),
  };
}
