import type { AccountQueryable, Queryable } from '@sluice/read-model';
import { rowOf } from '@sluice/sealed-secrets';
import type { LoggedContents } from '../domain/logged-contents.ts';
import type { Sealed } from '../domain/sealed-text.ts';

/** Bounds the contents that are stored. */
export interface ContentBounds {
  readonly ageMsMax: number;
  readonly workspaceBytesMax: number;
  readonly bytesMax: number;
}

/** The number of contents by what became of them. */
export interface StoreOutcome {
  readonly stored: number;
  /** Their workspace, or the whole store, has as many bytes as it may. */
  readonly full: number;
  /** Their workspace is deleted. */
  readonly orphaned: number;
}

/** Stores contents within the bounds. A repetition changes nothing, and is not counted. */
export async function storeContents(
  transaction: Queryable,
  given: readonly LoggedContents[],
  { bounds, now }: { readonly bounds: ContentBounds; readonly now: Date },
): Promise<StoreOutcome> {
  const deleted = await deletedAmong(transaction, given);
  const living = given.filter(({ workspaceId }) => !deleted.has(workspaceId));
  const isFull = await fullness(transaction, living, bounds);
  const fitting = living.filter(({ workspaceId }) => !isFull(workspaceId));
  return {
    stored: await insert(transaction, fitting, now),
    full: living.length - fitting.length,
    orphaned: given.length - living.length,
  };
}

async function deletedAmong(
  transaction: Queryable,
  given: readonly LoggedContents[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ workspaceId: string }>({
    text: `SELECT workspace_id AS "workspaceId" FROM deleted_workspaces WHERE workspace_id = ANY ($1::text[])`,
    values: [workspacesOf(given)],
  });
  return new Set(rows.map(({ workspaceId }) => workspaceId));
}

/** Returns whether a workspace may store no more. A batch may exceed the bounds by its own bytes. */
async function fullness(
  transaction: Queryable,
  given: readonly LoggedContents[],
  { workspaceBytesMax, bytesMax }: ContentBounds,
): Promise<(workspaceId: string) => boolean> {
  const rows = await transaction.query<{ workspaceId: string | null; bytes: bigint }>({
    text: `SELECT workspace_id AS "workspaceId", bytes FROM content_bytes WHERE workspace_id = ANY ($1::text[])
      UNION ALL SELECT NULL, coalesce(sum(bytes), 0)::bigint FROM content_bytes`,
    values: [workspacesOf(given)],
  });
  const bytes = new Map(rows.map((row) => [row.workspaceId, row.bytes]));
  const isAllFull = (bytes.get(null) ?? 0n) >= bytesMax;
  return (workspaceId) => isAllFull || (bytes.get(workspaceId) ?? 0n) >= workspaceBytesMax;
}

async function insert(
  transaction: Queryable,
  given: readonly LoggedContents[],
  now: Date,
): Promise<number> {
  if (given.length === 0) return 0;
  const sealed = given.map((one) => rowOf(one.sealed));
  const [row] = await transaction.query<{ count: bigint }>({
    text: `WITH stored AS (
        INSERT INTO contents (account_id, generation_id, workspace_id, user_id, stored_at, key_version, wrapped_key,
          ciphertext)
        SELECT account_id, generation_id, workspace_id, user_id, $1::timestamptz, key_version,
          decode(wrapped_key, 'base64'), decode(ciphertext, 'base64')
        FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
          AS given (account_id, generation_id, workspace_id, user_id, key_version, wrapped_key, ciphertext)
        ON CONFLICT DO NOTHING
        RETURNING account_id, workspace_id, ${sizeOf}
      ), counted AS (
        INSERT INTO content_bytes (workspace_id, account_id, bytes)
        SELECT workspace_id, account_id, sum(size) FROM stored GROUP BY workspace_id, account_id ORDER BY workspace_id
        ON CONFLICT (workspace_id) DO UPDATE SET bytes = content_bytes.bytes + excluded.bytes
      ) SELECT count(*) AS count FROM stored`,
    values: [
      now,
      given.map(({ accountId }) => accountId),
      given.map(({ generationId }) => generationId),
      given.map(({ workspaceId }) => workspaceId),
      given.map(({ userId }) => userId),
      sealed.map(({ keyVersion }) => keyVersion),
      sealed.map(({ wrappedKey }) => wrappedKey),
      sealed.map(({ ciphertext }) => ciphertext),
    ],
  });
  return Number(row?.count ?? 0n);
}

/** The bytes of a row, with a share for what is not its ciphertext. */
const sizeOf = 'octet_length(ciphertext) + 512 AS size';

const workspacesOf = (given: readonly LoggedContents[]) => [
  ...new Set(given.map(({ workspaceId }) => workspaceId)),
];

/** Returns the contents of a generation that are not older than the bound, if there are any. */
export async function findContents(
  account: AccountQueryable,
  generationId: string,
  storedAfter: Date,
): Promise<LoggedContents | undefined> {
  const { accountId } = account;
  const [row] = await account.query<Pick<LoggedContents, 'workspaceId' | 'userId'> & Row>({
    name: 'find-contents',
    text: `SELECT workspace_id AS "workspaceId", user_id AS "userId", ${sealedColumns} FROM contents
      WHERE account_id = $1 AND generation_id = $2 AND stored_at >= $3::timestamptz`,
    values: [accountId, generationId, storedAfter],
  });
  if (!row) return undefined;
  const { workspaceId, userId, ...sealed } = row;
  return { accountId, generationId, workspaceId, userId, sealed: sealedOf(sealed) };
}

const sealedColumns = `key_version AS "keyVersion", encode(wrapped_key, 'base64') AS "wrappedKey",
  encode(ciphertext, 'base64') AS ciphertext`;

interface Row {
  readonly keyVersion: string;
  readonly wrappedKey: string;
  readonly ciphertext: string;
}

function sealedOf({ keyVersion, wrappedKey, ciphertext }: Row): Sealed {
  return {
    keyVersion,
    wrappedKey: Buffer.from(wrappedKey, 'base64'),
    ciphertext: Buffer.from(ciphertext, 'base64'),
  };
}

/** Rows that one statement deletes at most. */
export const droppedMax = 1_000;

/** Deletes contents that were stored before. Returns their number, at most `droppedMax`. */
export async function dropExpired(connection: Queryable, storedBefore: Date): Promise<number> {
  return await drop(connection, 'stored_at < $1::timestamptz', storedBefore);
}

/**
 * Deletes contents of workspaces that were deleted after the time: some were stored at the same moment. Forgets the
 * workspaces that were deleted before it, and those that have no contents. Returns the number of contents.
 */
export async function dropOrphans(connection: Queryable, deletedAfter: Date): Promise<number> {
  await connection.query({
    text: 'DELETE FROM deleted_workspaces WHERE deleted_at < $1::timestamptz',
    values: [deletedAfter],
  });
  await connection.query({ text: 'DELETE FROM content_bytes WHERE bytes <= 0', values: [] });
  const ofDeleted =
    'workspace_id IN (SELECT workspace_id FROM deleted_workspaces WHERE deleted_at >= $1::timestamptz)';
  return await drop(connection, ofDeleted, deletedAfter);
}

async function drop(
  connection: Queryable,
  condition: string,
  value: Date | string,
): Promise<number> {
  const [row] = await connection.query<{ count: bigint }>({
    text: `WITH dropped AS (
        DELETE FROM contents WHERE (account_id, generation_id) IN (
          SELECT account_id, generation_id FROM contents WHERE ${condition} LIMIT ${String(droppedMax)})
        RETURNING workspace_id, ${sizeOf}
      ), counted AS (
        UPDATE content_bytes SET bytes = content_bytes.bytes - sums.size
        FROM (SELECT workspace_id, sum(size) AS size FROM dropped GROUP BY workspace_id) AS sums
        WHERE content_bytes.workspace_id = sums.workspace_id
      ) SELECT count(*) AS count FROM dropped`,
    values: [value],
  });
  return Number(row?.count ?? 0n);
}

/** Deletes all contents of a deleted workspace. Those that come later are not stored. Returns their number. */
export async function dropWorkspace(
  connection: Queryable,
  { accountId, workspaceId }: { readonly accountId: string; readonly workspaceId: string },
  now: Date,
): Promise<number> {
  await connection.query({
    text: `INSERT INTO deleted_workspaces (workspace_id, account_id, deleted_at) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING`,
    values: [workspaceId, accountId, now],
  });
  let count = 0;
  for (;;) {
    const dropped = await drop(connection, 'workspace_id = $1', workspaceId);
    count += dropped;
    if (dropped < droppedMax) return count;
  }
}

/** Contents by their generation. */
interface Place {
  readonly accountId: string;
  readonly generationId: string;
}

interface Page {
  readonly keyVersion: string;
  readonly after: Place;
  readonly limit: number;
}

/** Returns contents that another version of the key-encryption key wraps, in the order of their places. */
export async function contentsUnderOtherKeys(
  connection: Queryable,
  { keyVersion, after, limit }: Page,
): Promise<readonly (Place & Pick<LoggedContents, 'sealed'>)[]> {
  const rows = await connection.query<Place & Row>({
    text: `SELECT account_id AS "accountId", generation_id AS "generationId", ${sealedColumns} FROM contents
      WHERE key_version <> $1 AND (account_id, generation_id) > ($2, $3)
      ORDER BY account_id, generation_id LIMIT $4`,
    values: [keyVersion, after.accountId, after.generationId, limit],
  });
  return rows.map(({ accountId, generationId, ...sealed }) => ({
    accountId,
    generationId,
    sealed: sealedOf(sealed),
  }));
}

/** Replaces the wrapping of a data key. */
export async function rewrapContents(
  connection: Queryable,
  { accountId, generationId, sealed }: Place & Pick<LoggedContents, 'sealed'>,
): Promise<void> {
  const { keyVersion, wrappedKey } = rowOf(sealed);
  await connection.query({
    text: `UPDATE contents SET key_version = $3, wrapped_key = decode($4, 'base64')
      WHERE account_id = $1 AND generation_id = $2`,
    values: [accountId, generationId, keyVersion, wrappedKey],
  });
}
