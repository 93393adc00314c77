import { defaultGuardrailId } from '@sluice/policy';
import type { AccountReads } from '@sluice/read-model';
import { guardrailColumns, type GuardrailRow } from './guardrail-row.ts';

/** The account, the workspace, the key and its maker behind a request. */
export interface Requester {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly keyHash: string;
  /** The user that made the key; empty: none. */
  readonly userId: string;
}

/** A guardrail that holds for a request, and whose spend its limit counts. */
export interface HoldingGuardrailRow extends GuardrailRow {
  readonly scope: 'workspace' | 'member' | 'key';
  readonly assigneeId: string;
}

/**
 * The guardrails that hold for a request: the default of the workspace, those of the member (of no workspace before
 * that of this one), that of the key. One statement, so that all of them are as of one position.
 */
export async function effectiveGuardrails(
  readModel: AccountReads,
  { accountId, workspaceId, keyHash, userId }: Requester,
): Promise<readonly HoldingGuardrailRow[]> {
  return await readModel.forAccount(accountId).query<HoldingGuardrailRow>({
    name: 'effective-guardrails',
    text: `SELECT ${guardrailColumns}, scope, holding.assignee_id AS "assigneeId"
           FROM (
             SELECT $2::uuid AS holding_id, 'workspace' AS scope, $3::text AS assignee_id, 0 AS place
             UNION ALL
             SELECT guardrail_id, 'member', user_id, CASE WHEN workspace_id = '' THEN 1 ELSE 2 END
             FROM member_assignments
             WHERE account_id = $1 AND user_id = $4 AND workspace_id IN ('', $3)
             UNION ALL
             SELECT guardrail_id, 'key', key_hash, 3
             FROM key_assignments WHERE account_id = $1 AND key_hash = $5
           ) AS holding JOIN guardrails ON guardrail_id = holding_id
           WHERE account_id = $1 ORDER BY place`,
    values: [accountId, defaultGuardrailId(workspaceId), workspaceId, userId, keyHash],
  });
}
