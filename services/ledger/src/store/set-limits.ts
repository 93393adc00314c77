import type { Queryable } from '@sluice/read-model';
import { type ScopeLimits, scopeText } from '../domain/limit/scope-limits.ts';

const revisions = `
  INSERT INTO limit_revisions AS known (account_id, scope_kind, scope_id, revision)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
  ON CONFLICT (account_id, scope_kind, scope_id) DO UPDATE SET revision = excluded.revision
    WHERE known.revision < excluded.revision
  RETURNING account_id, scope_kind, scope_id`;

const clear = `
  DELETE FROM limits
  USING unnest($1::text[], $2::text[], $3::text[]) AS given (account_id, scope_kind, scope_id)
  WHERE (limits.account_id, limits.scope_kind, limits.scope_id)
    = (given.account_id, given.scope_kind, given.scope_id)`;

const insert = `
  INSERT INTO limits (account_id, scope_kind, scope_id, window_kind, limit_nano_usd, include_byok)
  SELECT * FROM unnest(
    $1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::boolean[]
  )`;

const history = `
  INSERT INTO limit_history (account_id, scope_kind, scope_id, revision, limits, include_byok)
  SELECT account_id, scope_kind, scope_id, revision, limits::jsonb, include_byok
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[])
    AS given (account_id, scope_kind, scope_id, revision, limits, include_byok)`;

interface ScopeRow {
  readonly account_id: string;
  readonly scope_kind: string;
  readonly scope_id: string;
}

/**
 * Puts limits in the place of older ones, in the order given: that of `newestLimits`. The answer are
 * those that were newer than what was known.
 */
export async function setLimits(
  transaction: Queryable,
  facts: readonly ScopeLimits[],
): Promise<readonly ScopeLimits[]> {
  if (facts.length === 0) return [];
  const rows = await transaction.query<ScopeRow>({
    name: 'set-limit-revisions',
    text: revisions,
    values: [...scopes(facts), facts.map(({ revision }) => revision)],
  });
  const taken = new Set(
    rows.map((row) =>
      scopeText({ accountId: row.account_id, scopeKind: row.scope_kind, scopeId: row.scope_id }),
    ),
  );
  const set = facts.filter((fact) => taken.has(scopeText(fact)));
  if (set.length === 0) return [];
  await transaction.query({ name: 'clear-limits', text: clear, values: scopes(set) });
  await transaction.query({
    name: 'insert-limit-history',
    text: history,
    values: [
      ...scopes(set),
      set.map(({ revision }) => revision),
      set.map(({ limits }) => JSON.stringify(byWindow(limits))),
      set.map(({ includeByok }) => includeByok),
    ],
  });
  const capped = set.flatMap((fact) => fact.limits.map((limit) => ({ ...fact, ...limit })));
  await transaction.query({
    name: 'insert-limits',
    text: insert,
    values: [
      ...scopes(capped),
      capped.map(({ windowKind }) => windowKind),
      capped.map(({ limitNanoUsd }) => limitNanoUsd),
      capped.map(({ includeByok }) => includeByok),
    ],
  });
  return set;
}

function byWindow(limits: ScopeLimits['limits']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    limits.map(({ windowKind, limitNanoUsd }) => [windowKind, String(limitNanoUsd)]),
  );
}

function scopes(facts: readonly ScopeLimits[]): readonly (readonly string[])[] {
  return [
    facts.map(({ accountId }) => accountId),
    facts.map(({ scopeKind }) => scopeKind),
    facts.map(({ scopeId }) => scopeId),
  ];
}
