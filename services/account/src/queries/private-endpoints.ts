import type { AccountReads, Queryable } from '@sluice/read-model';

/** A private endpoint as the read model shows it. */
export interface PrivateEndpointRow {
  readonly endpointId: string;
  readonly status: string;
  readonly modelPermaslug: string;
  readonly provider: string;
  readonly providerName: string;
  readonly upstreamModelId: string;
  readonly baseUrl: string | null;
  readonly declaredZdr: boolean | null;
  readonly declaredRegion: string | null;
  readonly promptPrice: string;
  readonly completionPrice: string;
  readonly createdAt: Date;
}

const columns = `
  endpoint_id AS "endpointId", status, model_permaslug AS "modelPermaslug", provider,
  provider_name AS "providerName", upstream_model_id AS "upstreamModelId", base_url AS "baseUrl",
  declared_zdr AS "declaredZdr", declared_region AS "declaredRegion",
  prompt_price AS "promptPrice", completion_price AS "completionPrice", created_at AS "createdAt"`;

interface Question {
  readonly accountId: string;
  readonly isActiveOnly: boolean;
}

/** Lists the private endpoints of an organization, the newest first. It has at most 100. */
export async function listPrivateEndpoints(
  readModel: AccountReads,
  { accountId, isActiveOnly }: Question,
): Promise<readonly PrivateEndpointRow[]> {
  return await readModel.forAccount(accountId).query<PrivateEndpointRow>({
    name: 'list-private-endpoints',
    text: `SELECT ${columns} FROM private_endpoints
           WHERE account_id = $1 AND (status = 'active' OR NOT $2)
           ORDER BY created_at DESC, endpoint_id DESC`,
    values: [accountId, isActiveOnly],
  });
}

/** Returns the endpoint; undefined when the organization has none of that id, which is a UUID. */
export async function findPrivateEndpoint(
  readModel: AccountReads,
  { accountId, endpointId }: { readonly accountId: string; readonly endpointId: string },
): Promise<PrivateEndpointRow | undefined> {
  const [row] = await readModel.forAccount(accountId).query<PrivateEndpointRow>({
    name: 'find-private-endpoint',
    text: `SELECT ${columns} FROM private_endpoints WHERE account_id = $1 AND endpoint_id = $2`,
    values: [accountId, endpointId],
  });
  return row;
}

/** An organization whose private endpoints changed. */
export interface EndpointChangeRow {
  readonly accountId: string;
  readonly revision: bigint;
  /** One of them must not be used any more since the place that was asked for. */
  readonly isRevoked: boolean;
}

/** Changes behind a place of the log, and the place up to which they go. */
export interface EndpointChanges {
  readonly changes: readonly EndpointChangeRow[];
  /** Below the place that was asked for: the log is another one, and any endpoint may have changed. */
  readonly revision: bigint;
  readonly isEnd: boolean;
}

const changesMax = 1_000;

/** Lists the organizations whose endpoints changed behind a place. Without a place it lists none. */
export async function listEndpointChanges(
  database: Queryable,
  after: bigint | undefined,
): Promise<EndpointChanges> {
  const changes = after === undefined ? [] : await changesAfter(database, after);
  const last = changes.at(-1);
  if (last) return { changes, revision: last.revision, isEnd: changes.length < changesMax };
  const newest = await newestRevision(database);
  // A change that came between the two statements is not in the list.
  const revision = after !== undefined && after < newest ? after : newest;
  return { changes, revision, isEnd: true };
}

async function changesAfter(
  database: Queryable,
  after: bigint,
): Promise<readonly EndpointChangeRow[]> {
  return await database.query<EndpointChangeRow & Record<string, unknown>>({
    name: 'list-private-endpoint-changes',
    text: `SELECT account_id AS "accountId", revision, revoked_revision > $1 AS "isRevoked"
           FROM private_endpoint_changes WHERE revision > $1 ORDER BY revision LIMIT $2`,
    values: [after, changesMax],
  });
}

async function newestRevision(database: Queryable): Promise<bigint> {
  const [row] = await database.query<{ revision: bigint | null }>({
    name: 'newest-private-endpoint-change',
    text: 'SELECT max(revision) AS revision FROM private_endpoint_changes',
    values: [],
  });
  return row?.revision ?? 0n;
}
