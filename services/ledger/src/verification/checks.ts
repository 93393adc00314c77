/** A comparison of two sets of rows with the same columns. */
export interface Check {
  /** The name of the comparison, in words. */
  readonly name: string;
  /** The columns that identify a row. */
  readonly key: readonly string[];
  /** The columns that must be equal in both, to the last digit. */
  readonly values: readonly string[];
  /** The rows that the facts give. */
  readonly expected: string;
  /** The stored rows. */
  readonly stored: string;
}

const creditsOf = `sum(CASE WHEN is_byok THEN fee_nano_usd ELSE cost_nano_usd END) AS credits_nano_usd`;
const byokOf = `coalesce(sum(cost_nano_usd) FILTER (WHERE is_byok), 0) AS byok_nano_usd`;
const tokenSums = ['input_tokens', 'output_tokens', 'reasoning_tokens']
  .map((name) => `sum(${name}) AS ${name}`)
  .join(', ');

/** Sums the cost of facts in every scope and window that they count in. */
const sumsPerScope = (facts: string) => `
    SELECT account_id, scope_kind, scope_id, window_kind, window_start, ${creditsOf}, ${byokOf}
    FROM ${facts} CROSS JOIN LATERAL (VALUES
      ('account', account_id, 'lifetime', to_timestamp(0)),
      ('key', key_hash, 'lifetime', to_timestamp(0)),
      ('key', key_hash, 'daily', date_trunc('day', admitted_at, 'UTC')),
      ('key', key_hash, 'weekly', date_trunc('week', admitted_at, 'UTC')),
      ('key', key_hash, 'monthly', date_trunc('month', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'lifetime', to_timestamp(0)),
      ('workspace', workspace_id, 'daily', date_trunc('day', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'weekly', date_trunc('week', admitted_at, 'UTC')),
      ('workspace', workspace_id, 'monthly', date_trunc('month', admitted_at, 'UTC'))
    ) AS counter (scope_kind, scope_id, window_kind, window_start)
    GROUP BY 1, 2, 3, 4, 5
    UNION ALL
    SELECT account_id, 'guardrail', scope, window_kind, window_start, ${creditsOf}, ${byokOf}
    FROM ${facts} CROSS JOIN LATERAL unnest(guardrail_scopes) AS scope
    CROSS JOIN LATERAL (VALUES
      ('daily', date_trunc('day', admitted_at, 'UTC')),
      ('weekly', date_trunc('week', admitted_at, 'UTC')),
      ('monthly', date_trunc('month', admitted_at, 'UTC'))
    ) AS counter (window_kind, window_start)
    GROUP BY 1, 2, 3, 4, 5`;

const counters: Check = {
  name: 'counters',
  key: ['account_id', 'scope_kind', 'scope_id', 'window_kind', 'window_start'],
  values: ['credits_nano_usd', 'byok_nano_usd'],
  expected: `${sumsPerScope('usage_facts')}
    UNION ALL
    SELECT account_id, 'allowance', account_id, 'monthly', date_trunc('month', admitted_at, 'UTC'),
      0, sum(free_nano_usd)
    FROM usage_facts WHERE free_nano_usd > 0 GROUP BY 1, 2, 3, 4, 5
    UNION ALL
    SELECT account_id, 'free_requests', account_id, 'daily', date_trunc('day', admitted_at, 'UTC'), count(*), 0
    FROM usage_facts WHERE free_request_lease_numbers <> '{}' GROUP BY 1, 2, 3, 4, 5`,
  // The counters of minutes are kept for an hour only.
  stored: `SELECT * FROM counters WHERE window_kind <> 'minute'`,
};

/** A scope whose suspense is resolved keeps a row of zeros, which says the same as none. */
const suspended: Check = {
  name: 'suspended',
  key: counters.key,
  values: counters.values,
  expected: sumsPerScope(`(
      SELECT fact.account_id, key_hash, workspace_id, guardrail_scopes, admitted_at, is_byok,
        suspended_nano_usd AS cost_nano_usd, 0 AS fee_nano_usd
      FROM usage_facts AS fact JOIN estimates USING (usage_id)
      WHERE corrected_at IS NULL AND suspended_nano_usd > 0
    ) AS open`),
  stored: 'SELECT * FROM suspended WHERE credits_nano_usd <> 0 OR byok_nano_usd <> 0',
};

const corrected = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens'];
const discounts = ['data_discount_nano_usd', 'cache_discount_nano_usd'];
const correctedAmounts = ['cost_nano_usd', 'upstream_cost_nano_usd', ...discounts];
/** Every estimate that is closed has one correction, whose values its row has. */
const corrections: Check = {
  name: 'corrections',
  key: ['usage_id', 'account_id'],
  values: [...corrected, ...correctedAmounts, 'upstream_id'],
  expected: `
    SELECT *, CASE WHEN estimated_upstream_cost_nano_usd IS NOT NULL
      THEN cost_nano_usd + absorbed_nano_usd END AS upstream_cost_nano_usd
    FROM corrections`,
  stored: `
    SELECT fact.* FROM usage_facts AS fact JOIN estimates USING (usage_id)
    WHERE corrected_at IS NOT NULL`,
};

/** The amount that an expiry moved to the operator's suspense: nothing with a credential of the account. */
const moved = `CASE WHEN is_byok THEN 0 ELSE expired_nano_usd END`;

/** Facts as they were counted at first, with what their hold left in suspense, and what of it has expired. */
const firstFacts = `(
      SELECT fact.usage_id, fact.account_id, generation_id, is_byok, replica, lease_epoch,
        lease_numbers, fee_nano_usd, free_nano_usd, fee_lease_numbers, allowance_lease_number,
        free_request_lease_numbers,
        coalesce(estimated_cost_nano_usd, fact.cost_nano_usd) AS cost_nano_usd,
        coalesce(suspended_nano_usd + expired_nano_usd, 0) AS suspended_nano_usd,
        coalesce(claimed_nano_usd, 0) AS claimed_nano_usd,
        coalesce(operator_suspended_nano_usd - ${moved}, 0) AS operator_suspended_nano_usd,
        coalesce(expired_nano_usd, 0) AS expired_nano_usd, coalesce(${moved}, 0) AS moved_nano_usd,
        CASE WHEN is_byok THEN 0
          WHEN estimated_cost_nano_usd IS NULL
            THEN coalesce(fact.upstream_cost_nano_usd, fact.cost_nano_usd) - fact.cost_nano_usd
          ELSE coalesce(first_upstream_cost_nano_usd, estimated_cost_nano_usd) - estimated_cost_nano_usd
        END AS operators_nano_usd
      FROM usage_facts AS fact
      LEFT JOIN (
        SELECT usage_id, suspended_nano_usd, claimed_nano_usd, operator_suspended_nano_usd,
          expired_nano_usd
        FROM estimates
      ) AS estimate USING (usage_id)
      LEFT JOIN (
        SELECT usage_id, estimated_cost_nano_usd,
          estimated_upstream_cost_nano_usd AS first_upstream_cost_nano_usd
        FROM corrections
      ) AS correction USING (usage_id)
    ) AS fact`;

/** Early corrections did not keep the operator's part, and nothing of it was posted. */
const borneLater = `CASE WHEN estimated_upstream_cost_nano_usd IS NULL THEN 0
        ELSE absorbed_nano_usd - operators_nano_usd END`;

const dimensions = [
  'workspace_id',
  'key_hash',
  'user_id',
  'model',
  'endpoint_id',
  'provider',
  'app',
];
const activityKey = ['account_id', 'day', ...dimensions];
/** True for the first turn of a response: no call of a tool, and nothing that such a call asked for. */
const isRequest = String.raw`(usage_id !~ '/[1-9]\d{0,5}/([2-9]|[1-9]\d{1,5})$'
  AND usage_id !~ '/tool/[1-9]\d{0,5}(/[1-9]\d{0,5}/[1-9]\d{0,5}/[1-9]\d{0,5})?$')`;
const activity: Check = {
  name: 'activity',
  key: activityKey,
  values: [
    'requests',
    'input_tokens',
    'output_tokens',
    'reasoning_tokens',
    'credits_nano_usd',
    'byok_nano_usd',
  ],
  expected: `
    SELECT ${activityKey.join(', ')}, count(*) FILTER (WHERE ${isRequest}) AS requests, ${tokenSums},
      ${creditsOf}, ${byokOf}
    FROM (
      SELECT *, (admitted_at AT TIME ZONE 'UTC')::date AS day FROM usage_facts
      WHERE outcome <> 'failed' OR upstream_cost_nano_usd IS NULL
    ) AS fact
    GROUP BY ${activityKey.join(', ')}`,
  // Days from before details were kept may have a row of their own beside the one of today's code.
  stored: `
    SELECT ${activityKey.join(', ')}, sum(requests) AS requests, ${tokenSums},
      sum(credits_nano_usd) AS credits_nano_usd, sum(byok_nano_usd) AS byok_nano_usd
    FROM activity GROUP BY ${activityKey.join(', ')}`,
};

const creditLimits: Check = {
  name: 'limits of accounts',
  key: ['account_id'],
  values: ['limit_nano_usd'],
  expected: `
    SELECT account_id, sum(amount_nano_usd) AS limit_nano_usd FROM credits GROUP BY account_id`,
  stored: `
    SELECT account_id, limit_nano_usd FROM limits
    WHERE scope_kind = 'account' AND scope_id = account_id AND window_kind = 'lifetime'`,
};

/** A closed lease that was never granted stands for one that is forgotten: what it paid is too. */
const knownLeases = `leases WHERE NOT (closed_at IS NOT NULL AND granted_nano_usd = 0)`;
const leases: Check = {
  name: 'leases',
  key: ['replica', 'epoch', 'number'],
  values: ['counted_nano_usd'],
  expected: `
    SELECT replica, epoch, number, coalesce(sum(cost_nano_usd), 0) AS counted_nano_usd
    FROM (SELECT replica, epoch, number FROM ${knownLeases}) AS lease
    LEFT JOIN (
      SELECT replica, lease_epoch AS epoch, number, paid AS cost_nano_usd
      FROM ${firstFacts} CROSS JOIN LATERAL (
        SELECT unnest(lease_numbers) AS number, cost_nano_usd + suspended_nano_usd + fee_nano_usd AS paid
        UNION ALL SELECT unnest(fee_lease_numbers), fee_nano_usd
        UNION ALL SELECT allowance_lease_number, free_nano_usd
        UNION ALL SELECT unnest(free_request_lease_numbers), 1
      ) AS payer
    ) AS payment USING (replica, epoch, number)
    GROUP BY replica, epoch, number`,
  stored: `SELECT replica, epoch, number, counted_nano_usd FROM ${knownLeases}`,
};

/** The lines of an entry that charges and suspends. */
function usageLines(charged: string, suspendedOfHold: string, claimed: string): string {
  const customer = `CASE WHEN is_byok THEN 'byok' ELSE 'credits' END`;
  const spent = `CASE WHEN is_byok THEN 'byok_usage' ELSE 'revenue' END`;
  return `
      (1, ${customer}, ${spent}, ${charged}), (2, ${customer}, 'suspense', ${suspendedOfHold}),
      (3, 'claims', 'suspense', ${claimed})`;
}

/** Returns the transfers of what the operator pays, and of what providers may still ask of the operator. */
function operatorLines(borne: string, suspendedOfOperator: string): string {
  return `
      (5, 'operator', 'operator_usage', ${borne}),
      (6, 'operator', 'suspense', ${suspendedOfOperator})`;
}

/** The transfer of the fee that credits pay for an account's own credential. */
const feeLine = `(4, 'credits', 'revenue', fee_nano_usd)`;

/** A transfer balances by its shape: it takes from one book what it gives to another. */
const transfers: Check = {
  name: 'transfers',
  key: ['entry_kind', 'entry_id', 'line'],
  values: ['account_id', 'from_book', 'to_book', 'amount_nano_usd'],
  expected: `
    SELECT 'usage' AS entry_kind, usage_id AS entry_id, line, account_id, from_book, to_book,
      amount AS amount_nano_usd
    FROM ${firstFacts} CROSS JOIN LATERAL (VALUES ${usageLines(
      'cost_nano_usd',
      'suspended_nano_usd',
      'claimed_nano_usd',
    )}, ${feeLine}, ${operatorLines(
      'operators_nano_usd',
      'operator_suspended_nano_usd',
    )}) AS moved (line, from_book, to_book, amount)
    WHERE amount <> 0
    UNION ALL
    SELECT 'correction', correction_id, line, fact.account_id, from_book, to_book, amount
    FROM corrections JOIN ${firstFacts} USING (usage_id) CROSS JOIN LATERAL (VALUES ${usageLines(
      'corrections.cost_nano_usd - estimated_cost_nano_usd',
      'expired_nano_usd - suspended_nano_usd',
      '-claimed_nano_usd',
    )}, ${operatorLines(borneLater, '-operator_suspended_nano_usd - moved_nano_usd')})
      AS moved (line, from_book, to_book, amount)
    WHERE amount <> 0
    UNION ALL
    SELECT 'expiry', usage_id || '/expiry', line, account_id, from_book, to_book, amount
    FROM ${firstFacts} CROSS JOIN LATERAL (VALUES ${usageLines('0', '-expired_nano_usd', '0')},
      ${operatorLines('0', 'moved_nano_usd')}) AS moved (line, from_book, to_book, amount)
    WHERE amount <> 0
    UNION ALL
    SELECT 'credit', credit_id, 1, account_id, 'funding', 'credits', amount_nano_usd FROM credits
    WHERE amount_nano_usd <> 0`,
  stored: 'SELECT * FROM transfers',
};

/** All that is derived from facts, each written here a second time, apart from the code that keeps it. */
export const checks: readonly Check[] = [
  counters,
  suspended,
  corrections,
  activity,
  creditLimits,
  leases,
  transfers,
];
