import type { RecordedEvent } from '@sluice/es';

/** A row of a read model as text: column name → value, the same however it was read. */
export type Row = Readonly<Record<string, string>>;
/** Primary key → row. */
export type Rows = ReadonlyMap<string, Row>;

/** The tables of PostgreSQL that events alone decide. */
export type ReadModel = keyof typeof readModels;

/** The columns of each primary key, and those that events do not decide: when a row was written. */
export const readModels = {
  'key.api_keys': { primaryKey: ['hash'], ignored: [] },
  'account.accounts': { primaryKey: ['account_id'], ignored: [] },
  'account.members': { primaryKey: ['account_id', 'user_id'], ignored: [] },
  'workspace.workspaces': { primaryKey: ['workspace_id'], ignored: [] },
  'ledger.credits': { primaryKey: ['credit_id'], ignored: ['counted_at'] },
  'ledger.limits': {
    primaryKey: ['account_id', 'scope_kind', 'scope_id', 'window_kind'],
    ignored: [],
  },
} satisfies Readonly<Record<string, Table>>;

interface Table {
  readonly primaryKey: readonly string[];
  readonly ignored: readonly string[];
}

/** The row's primary key as one text. */
export function keyOf(name: ReadModel, row: Row): string {
  return readModels[name].primaryKey.map((column) => row[column]).join(' ');
}

/**
 * Returns the rows that the read models must hold after these events. It is written from the events' meaning alone,
 * apart from the services' code, so that one mistake cannot hide in both.
 */
export function foldReadModels(log: readonly RecordedEvent[]): Readonly<Record<ReadModel, Rows>> {
  const keys = new Map<string, Row>();
  const accounts = new Map<string, Row>();
  const members = new Map<string, Row>();
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
      case 'MemberJoined':
        members.set(event.stream, joined(data));
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
    'account.members': new Map(
      [...members.values()].map((one) => [keyOf('account.members', one), one]),
    ),
    'workspace.workspaces': workspaces,
    'ledger.credits': credits,
    'ledger.limits': limits(keys, credits),
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
    external_user: data['externalUser'],
    source: data['source'],
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
    is_filtered_model_catalog_enabled: false,
    is_scim_enabled: true,
  });
}

/** The workload leaves members as they joined. */
function joined(data: Fields): Row {
  return row({
    account_id: data['accountId'],
    user_id: data['userId'],
    email: data['email'],
    first_name: data['firstName'],
    last_name: data['lastName'],
    role: data['role'],
    is_active: true,
    joined_at: data['joinedAt'],
    deactivated_by: null,
  });
}

/** The workload leaves workspaces as they were made. */
function created(data: Fields): Row {
  const settings = data['settings'] as Fields;
  return row({
    workspace_id: data['workspaceId'],
    account_id: data['accountId'],
    name: settings['name'],
    slug: settings['slug'],
    description: settings['description'],
    default_text_model: settings['defaultTextModel'],
    default_image_model: settings['defaultImageModel'],
    default_provider_sort: settings['defaultProviderSort'],
    is_observability_io_logging_enabled: settings['isObservabilityIoLoggingEnabled'],
    io_logging_sampling_rate: settings['ioLoggingSamplingRate'],
    io_logging_api_key_ids: settings['ioLoggingApiKeyIds'],
    is_observability_broadcast_enabled: settings['isObservabilityBroadcastEnabled'],
    is_data_discount_logging_enabled: settings['isDataDiscountLoggingEnabled'],
    disabled_server_tools: settings['disabledServerTools'],
    include_byok_in_budgets: false,
    is_default: data['isDefault'],
    created_by: data['createdBy'],
    created_at: data['createdAt'],
    updated_at: null,
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

/** A key may spend its limit in each window, an account its credits in its life. */
function limits(keys: Rows, credits: Rows): Rows {
  const ofKeys = [...keys.values()]
    .filter((key) => key['limit_nano_usd'] !== 'null')
    .map((key) =>
      row({
        account_id: key['account_id'],
        scope_kind: 'key',
        scope_id: key['hash'],
        window_kind: key['limit_reset'] === 'null' ? 'lifetime' : key['limit_reset'],
        limit_nano_usd: key['limit_nano_usd'],
        include_byok: key['include_byok_in_limit'],
      }),
    );
  const byAccount = Map.groupBy(credits.values(), (credit) => credit['account_id']);
  const ofAccounts = [...byAccount].map(([accountId, entries]) =>
    row({
      account_id: accountId,
      scope_kind: 'account',
      scope_id: accountId,
      window_kind: 'lifetime',
      limit_nano_usd: entries.reduce((sum, one) => sum + BigInt(one['amount_nano_usd'] ?? 0), 0n),
      include_byok: false,
    }),
  );
  return new Map([...ofKeys, ...ofAccounts].map((limit) => [keyOf('ledger.limits', limit), limit]));
}
