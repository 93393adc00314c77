import type { LogEvent } from './read-log.ts';

/** A row of a read model as text: column name → value, the same however it was read. */
export type Row = Readonly<Record<string, string>>;
/** Primary key → row. */
export type Rows = ReadonlyMap<string, Row>;

/** The tables of PostgreSQL that events alone decide. */
export type ReadModel = keyof typeof readModels;

/** The columns of each primary key. */
export const readModels = {
  'key.api_keys': ['hash'],
  'account.accounts': ['account_id'],
  'account.members': ['account_id', 'user_id'],
  'workspace.workspaces': ['workspace_id'],
  'ledger.credits': ['credit_id'],
  'ledger.limits': ['account_id', 'scope_kind', 'scope_id', 'window_kind'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns rows by their primary key as one text. */
export function byKey(name: ReadModel, rows: Iterable<Row>): Rows {
  const keyOf = (row: Row) => readModels[name].map((column) => row[column]).join(' ');
  return new Map([...rows].map((row) => [keyOf(row), row]));
}

/**
 * Returns the rows that the read models must hold after these events. It is written from the events' meaning alone,
 * apart from the services' code, so that one mistake cannot hide in both.
 */
export function foldReadModels(log: readonly LogEvent[]): Readonly<Record<ReadModel, Rows>> {
  const keys = new Map<string, Row>();
  const others = { accounts: [] as Row[], members: [] as Row[], workspaces: [] as Row[] };
  const credits: Row[] = [];
  for (const event of log) {
    const { type, data, stream } = event;
    const hash = stream.slice('apiKey-'.length);
    if (type === 'ApiKeyIssued') keys.set(hash, issued(event));
    else if (type === 'ApiKeyDeleted') keys.delete(hash);
    else if (type === 'AccountOpened') others.accounts.push(opened(data));
    else if (type === 'MemberJoined') others.members.push(joined(data));
    else if (type === 'WorkspaceCreated') others.workspaces.push(created(data));
    else if (type in entries) credits.push(entry(event));
    else {
      const change = changes[type];
      if (!change) throw new Error(`${type} is not known to the auditor`);
      const key = keys.get(hash);
      const at = row({ updated_at: data['changedAt'] });
      if (key) keys.set(hash, { ...key, ...row(change(data)), ...at });
    }
  }
  return {
    'key.api_keys': keys,
    'account.accounts': byKey('account.accounts', others.accounts),
    'account.members': byKey('account.members', others.members),
    'workspace.workspaces': byKey('workspace.workspaces', others.workspaces),
    'ledger.credits': byKey('ledger.credits', credits),
    'ledger.limits': byKey('ledger.limits', limits(keys.values(), credits)),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns how any value is written down, from JSON or from PostgreSQL. */
export function text(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
}

function row(fields: Fields): Row {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]));
}

/** Returns the columns that hold a field of the same name: `workspace_id` holds `workspaceId`. */
function same(fields: Fields, columns: string): Fields {
  const fieldOf = (column: string) =>
    column.replaceAll(/_(\w)/g, (_, sign: string) => sign.toUpperCase());
  return Object.fromEntries(columns.split(' ').map((column) => [column, fields[fieldOf(column)]]));
}

function issued({ data, metadata }: LogEvent): Row {
  const columns =
    'hash kind label name account_id workspace_id limit_nano_usd limit_reset include_byok_in_limit ' +
    'expires_at creator_user_id external_user source';
  return row({
    ...same(data, columns),
    disabled: false,
    created_at: data['issuedAt'],
    updated_at: data['issuedAt'],
    issue_command_id: metadata.commandId,
  });
}

const changes: Readonly<Record<string, (data: Fields) => Fields>> = {
  ApiKeyRenamed: (data) => same(data, 'name'),
  ApiKeyDisabled: () => ({ disabled: true }),
  ApiKeyEnabled: () => ({ disabled: false }),
  ApiKeyLimitChanged: (data) => same(data, 'limit_nano_usd'),
  ApiKeyLimitResetChanged: (data) => same(data, 'limit_reset'),
  ApiKeyByokInclusionChanged: (data) => same(data, 'include_byok_in_limit'),
};

function opened(data: Fields): Row {
  return row({
    ...same(data, 'account_id kind name owner_user_id default_workspace_id'),
    created_at: data['openedAt'],
    is_filtered_model_catalog_enabled: false,
    is_scim_enabled: true,
    is_alignment_enabled: false,
  });
}

/** The load leaves members as they joined. */
function joined(data: Fields): Row {
  return row({
    ...same(data, 'account_id user_id email first_name last_name role joined_at'),
    is_active: true,
    deactivated_by: null,
  });
}

/** The load leaves workspaces as they were made. */
function created(data: Fields): Row {
  const settings =
    'name slug description default_text_model default_image_model default_provider_sort ' +
    'is_observability_io_logging_enabled io_logging_sampling_rate io_logging_api_key_ids ' +
    'is_observability_broadcast_enabled is_data_discount_logging_enabled disabled_server_tools ' +
    'default_plugins';
  return row({
    ...same(data, 'workspace_id account_id is_default created_by created_at'),
    ...same(data['settings'] as Fields, settings),
    include_byok_in_budgets: false,
    broadcasts_since: null,
    updated_at: null,
  });
}

/** The kind of each entry of credits, and the field with its time. */
const entries: Readonly<Record<string, readonly [kind: string, at: string]>> = {
  CreditsGranted: ['grant', 'grantedAt'],
  CreditsPurchased: ['purchase', 'purchasedAt'],
  CreditsRefunded: ['refund', 'refundedAt'],
};

function entry({ id, type, data }: LogEvent): Row {
  const [kind, at] = entries[type] ?? ['', ''];
  const sign = kind === 'refund' ? '-' : '';
  return row({
    credit_id: id,
    account_id: data['accountId'],
    entry_kind: kind,
    amount_nano_usd: `${sign}${text(data['amountNanoUsd'])}`,
    occurred_at: data[at],
  });
}

/** A key may spend its limit in each window, an account its credits in its life. */
function* limits(keys: Iterable<Row>, credits: readonly Row[]): Generator<Row> {
  for (const key of keys)
    if (key['limit_nano_usd'] !== 'null')
      yield row({
        account_id: key['account_id'],
        scope_kind: 'key',
        scope_id: key['hash'],
        window_kind: key['limit_reset'] === 'null' ? 'lifetime' : key['limit_reset'],
        limit_nano_usd: key['limit_nano_usd'],
        include_byok: key['include_byok_in_limit'],
      });
  for (const [accountId, entries] of Map.groupBy(credits, (credit) => credit['account_id']))
    yield row({
      account_id: accountId,
      scope_kind: 'account',
      scope_id: accountId,
      window_kind: 'lifetime',
      limit_nano_usd: entries.reduce((sum, one) => sum + BigInt(one['amount_nano_usd'] ?? 0), 0n),
      include_byok: false,
    });
}
