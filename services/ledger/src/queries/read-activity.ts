import type { AccountReads } from '@sluice/read-model';

export interface ActivityQuestion {
  readonly accountId: string;
  /** UTC days, both included: `2026-11-18`. */
  readonly fromDay: string;
  readonly toDay: string;
  /** Absent: of all keys, users, workspaces. */
  readonly keyHash?: string | undefined;
  readonly userId?: string | undefined;
  readonly workspaceId?: string | undefined;
  readonly app?: string | undefined;
  /** A row per workspace, which is empty in the rows otherwise. */
  readonly byWorkspace: boolean;
  /** A row per application, which is empty in the rows otherwise. */
  readonly byApp: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface ActivityRow {
  readonly day: string;
  readonly model: string;
  readonly endpointId: string;
  readonly provider: string;
  readonly workspaceId: string;
  readonly app: string;
  readonly requests: bigint;
  readonly inputTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly creditsNanoUsd: bigint;
  readonly byokNanoUsd: bigint;
}

const sum = (column: string, name: string) => `sum(${column})::bigint AS "${name}"`;

const workspace = `CASE WHEN $7 THEN workspace_id ELSE '' END`;
const app = `CASE WHEN $11 THEN activity.app ELSE '' END`;

const text = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, model, endpoint_id AS "endpointId", provider,
    ${workspace} AS "workspaceId", ${app} AS app,
    ${sum('requests', 'requests')}, ${sum('input_tokens', 'inputTokens')},
    ${sum('output_tokens', 'outputTokens')}, ${sum('reasoning_tokens', 'reasoningTokens')},
    ${sum('credits_nano_usd', 'creditsNanoUsd')}, ${sum('byok_nano_usd', 'byokNanoUsd')}
  FROM activity
  WHERE account_id = $1 AND activity.day BETWEEN $2::date AND $3::date
    AND ($4::text IS NULL OR key_hash = $4) AND ($5::text IS NULL OR user_id = $5)
    AND ($6::text IS NULL OR workspace_id = $6) AND ($10::text IS NULL OR activity.app = $10)
  GROUP BY activity.day, model, endpoint_id, provider, ${workspace}, ${app}
  ORDER BY activity.day DESC, sum(credits_nano_usd) DESC, sum(byok_nano_usd) DESC,
    model COLLATE "C", provider COLLATE "C", endpoint_id COLLATE "C", (${workspace}) COLLATE "C",
    (${app}) COLLATE "C"
  OFFSET $8 LIMIT $9`;

/** Totals per day, model and endpoint; newest day first, then what cost most. */
export async function readActivity(
  readModel: AccountReads,
  question: ActivityQuestion,
): Promise<readonly ActivityRow[]> {
  const { accountId, fromDay, toDay, byWorkspace, byApp, offset, limit } = question;
  const { keyHash = null, userId = null, workspaceId = null } = question;
  const scopes = [keyHash, userId, workspaceId, byWorkspace];
  return await readModel.forAccount(accountId).query<ActivityRow>({
    name: 'read-activity',
    text,
    values: [accountId, fromDay, toDay, ...scopes, offset, limit, question.app ?? null, byApp],
  });
}
