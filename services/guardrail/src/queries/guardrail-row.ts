/** A guardrail as the read model shows it. */
export interface GuardrailRow {
  readonly guardrailId: string;
  readonly accountId: string;
  readonly workspaceId: string | null;
  readonly isDefault: boolean;
  readonly name: string;
  readonly description: string | null;
  /** The policy in the form of the stored events. */
  readonly policy: unknown;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** The columns of a GuardrailRow. */
export const guardrailColumns = `
  guardrail_id AS "guardrailId", account_id AS "accountId", workspace_id AS "workspaceId",
  is_default AS "isDefault", name, description, policy, created_at AS "createdAt",
  updated_at AS "updatedAt"`;
