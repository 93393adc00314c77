import type { AccountReads } from '@sluice/read-model';
import type { WindowAmounts, WindowStarts } from './window-starts.ts';

export interface KeyUsageQuestion {
  readonly accountId: string;
  readonly keyHashes: readonly string[];
  readonly starts: WindowStarts;
}

export interface KeyUsageAmounts {
  readonly keyHash: string;
  readonly credits: WindowAmounts;
  readonly byok: WindowAmounts;
}

const sum = (column: string, kind: string) =>
  `coalesce(sum(${column}) FILTER (WHERE window_kind = '${kind}'), 0)::bigint AS ${column}_${kind}`;

const kinds = ['lifetime', 'daily', 'weekly', 'monthly'] as const;
const columns = ['credits', 'byok'] as const;
const sums = columns.flatMap((column) => kinds.map((kind) => sum(column, kind)));

const text = `
  SELECT asked.key_hash, ${sums.join(', ')}
  FROM unnest($2::text[]) WITH ORDINALITY AS asked (key_hash, ordinal)
  LEFT JOIN (
    SELECT scope_id, window_kind, credits_nano_usd AS credits, byok_nano_usd AS byok
    FROM counters
    WHERE account_id = $1 AND scope_kind = 'key' AND scope_id = ANY ($2::text[])
      AND (window_kind, window_start) IN (
        ('lifetime', $3::timestamptz), ('daily', $4::timestamptz),
        ('weekly', $5::timestamptz), ('monthly', $6::timestamptz)
      )
  ) AS spent ON spent.scope_id = asked.key_hash
  GROUP BY asked.ordinal, asked.key_hash
  ORDER BY asked.ordinal`;

type Column = (typeof columns)[number];
type Row = { readonly key_hash: string } & Readonly<
  Record<`${Column}_${(typeof kinds)[number]}`, bigint>
>;

/** The spend of keys of one account in the windows asked for: one row per key, in the order asked. */
export async function readKeyUsage(
  readModel: AccountReads,
  { accountId, keyHashes, starts }: KeyUsageQuestion,
): Promise<readonly KeyUsageAmounts[]> {
  const { lifetime, daily, weekly, monthly } = starts;
  const values = [accountId, keyHashes, lifetime, daily, weekly, monthly];
  const rows = await readModel
    .forAccount(accountId)
    .query<Row>({ name: 'read-key-usage', text, values });
  return rows.map((row) => ({
    keyHash: row.key_hash,
    credits: amounts(row, 'credits'),
    byok: amounts(row, 'byok'),
  }));
}

function amounts(row: Row, column: Column): WindowAmounts {
  return {
    lifetimeNanoUsd: row[`${column}_lifetime`],
    dailyNanoUsd: row[`${column}_daily`],
    weeklyNanoUsd: row[`${column}_weekly`],
    monthlyNanoUsd: row[`${column}_monthly`],
  };
}
