import type { Queryable } from '@sluice/read-model';

/** A model and its share of the spend. */
export interface ModelShare {
  readonly model: string;
  /** From 0 to 1: the mean of the shares that the model has at each account. */
  readonly share: number;
}

export interface ModelShares {
  /** The most used model first. */
  readonly shares: readonly ModelShare[];
  /** The account whose spend these are, if no other one spent anything. Empty: they are of at least five accounts. */
  readonly onlyAccountId: string;
}

const daysMax = 7;
/** With fewer accounts a share would show what single ones use. */
const accountsMin = 5;
const modelsMax = 200;

const text = `
  WITH spent AS (
    SELECT account_id, model, sum(credits_nano_usd + byok_nano_usd) AS nano_usd
    FROM activity
    WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::int
    GROUP BY account_id, model
    HAVING sum(credits_nano_usd + byok_nano_usd) > 0
  ), totals AS (
    SELECT account_id, sum(nano_usd) AS nano_usd FROM spent GROUP BY account_id
  ), known AS (
    SELECT count(*) AS accounts, min(account_id) AS first FROM totals
  )
  SELECT model, (sum(spent.nano_usd / totals.nano_usd) / known.accounts)::float8 AS share,
    CASE WHEN known.accounts = 1 THEN known.first ELSE '' END AS "onlyAccountId"
  FROM spent JOIN totals USING (account_id) CROSS JOIN known
  GROUP BY model, known.accounts, known.first
  HAVING count(*) >= $2::int OR known.accounts = 1
  ORDER BY share DESC, model COLLATE "C"
  LIMIT $3::int`;

/**
 * Returns the share that each model has of the spend of seven days. Each account counts alike, however much it spends,
 * and a model counts if at least five accounts use it.
 */
export async function readModelShares(readModel: Queryable): Promise<ModelShares> {
  const rows = await readModel.query<ModelShare & { readonly onlyAccountId: string }>({
    name: 'read-model-shares',
    text,
    values: [daysMax, accountsMin, modelsMax],
  });
  return {
    shares: rows.map(({ model, share }) => ({ model, share })),
    onlyAccountId: rows[0]?.onlyAccountId ?? '',
  };
}
