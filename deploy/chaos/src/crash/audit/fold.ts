import type { RecordedEvent } from '@sluice/es';

/** A row of a read model as text: column name → value, the same however it was read. */
export type Row = Readonly<Record<string, string>>;
/** Primary key → row. */
export type Rows = ReadonlyMap<string, Row>;

export const readModels = ['key.api_keys', 'account.accounts', 'workspace.workspaces'] as const;
/** What the services keep in PostgreSQL and events alone decide. */
export type ReadModel = (typeof readModels)[number] | 'ledger.credits';

/**
 * What the read models must hold after these events. Written from the events' meaning alone, apart
 * from the services' code, so that one mistake cannot hide in both.
 */
export function foldReadModels(log: readonly RecordedEvent[]): Readonly<Record<ReadModel, Rows>> {
  const keys = new Map<string, Row>();
  const accounts = new Map<string, Row>();
  const workspaces = new Map<string, Row>();
  const credits = new Map<string, Row>();
  for (const event of log) {
    const data = event.data as Fields;
    const hash = event.stream.slice('apiKey-'.length);
    switch (event.type) {
      case 'ApiKeyIssued':
        keys.set(hash, issued(event, data));
        break;
      case 'ApiKeyDeleted':
        keys.delete(hash);
        break;
      case 'AccountOpened':
        accounts.set(text(data['accountId']), opened(data));
        break;
      case 'WorkspaceCreated':
        workspaces.set(text(data['workspaceId']), created(data));
        break;
      case 'CreditsGranted':
        credits.set(event.id, entry(event, 'grant', data['grantedAt']));
        break;
      case 'CreditsPurchased':
        credits.set(event.id, entry(event, 'purchase', data['purchasedAt']));
        break;
      case 'CreditsRefunded':
        credits.set(event.id, entry(event, 'refund', data['refundedAt']));
        break;
      default: {
        const changed = change(event.type, data);
        if (changed === undefined) throw new Error(`${event.type} is not known to the auditor`);
        const key = keys.get(hash);
        if (key) keys.set(hash, { ...key, ...changed, updated_at: text(data['changedAt']) });
      }
    }
  }
  return {
    'key.api_keys': keys,
    'account.accounts': accounts,
    'workspace.workspaces': workspaces,
    'ledger.credits': credits,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** How any value is written down, from JSON or from PostgreSQL. */
export function text(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function row(fields: Fields): Row {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]));
}

function issued({ metadata }: RecordedEvent, data: Fields): Row {
  return row({
    hash: data['hash'],
    kind: data['kind'],
    label: data['label'],
    name: data['name'],
    disabled: false,
    account_id: data['accountId'],
    workspace_id: data['workspaceId'],
    limit_nano_usd: data['limitNanoUsd'],
    limit_reset: data['limitReset'],
    include_byok_in_limit: data['includeByokInLimit'],
    expires_at: data['expiresAt'],
    creator_user_id: data['creatorUserId'],
    created_at: data['issuedAt'],
    updated_at: data['issuedAt'],
    issue_command_id: (metadata as { readonly commandId: string }).commandId,
  });
}

function change(type: string, data: Fields): Row | undefined {
  switch (type) {
    case 'ApiKeyRenamed':
      return row({ name: data['name'] });
    case 'ApiKeyDisabled':
      return row({ disabled: true });
    case 'ApiKeyEnabled':
      return row({ disabled: false });
    case 'ApiKeyLimitChanged':
      return row({ limit_nano_usd: data['limitNanoUsd'] });
    case 'ApiKeyLimitResetChanged':
      return row({ limit_reset: data['limitReset'] });
    case 'ApiKeyByokInclusionChanged':
      return row({ include_byok_in_limit: data['includeByokInLimit'] });
    default:
      return undefined;
  }
}

function opened(data: Fields): Row {
  return row({
    account_id: data['accountId'],
    kind: data['kind'],
    name: data['name'],
    owner_user_id: data['ownerUserId'],
    default_workspace_id: data['defaultWorkspaceId'],
    created_at: data['openedAt'],
  });
}

function created(data: Fields): Row {
  return row({
    workspace_id: data['workspaceId'],
    account_id: data['accountId'],
    name: data['name'],
    slug: data['slug'],
    is_default: data['isDefault'],
    created_at: data['createdAt'],
  });
}

function entry({ id, data }: RecordedEvent, kind: string, at: unknown): Row {
  const { accountId, amountNanoUsd } = data as Fields;
  return row({
    credit_id: id,
    account_id: accountId,
    entry_kind: kind,
    amount_nano_usd: kind === 'refund' ? `-${text(amountNanoUsd)}` : amountNanoUsd,
    occurred_at: at,
  });
}
