import type { Queryable } from '@sluice/read-model';
import { assemble, isComplete } from '../domain/assemble.ts';
import type { FinishedGeneration } from '../domain/generation.ts';
import { writeGeneration } from '../domain/generation-text.ts';
import { readPart } from '../domain/part-text.ts';
import type { Part, Received } from '../domain/part.ts';

/** A generation that goes into the log. */
interface Finished {
  readonly generation: FinishedGeneration;
  readonly contents: string | null;
}

/** Rows of `pending_parts`. */
interface StoredPart {
  readonly accountId: string;
  readonly generationId: string;
  readonly body: string;
  readonly contents: string | null;
}

const storedPart = `account_id AS "accountId", generation_id AS "generationId", body, contents`;

/**
 * Stores what is known of generations. Those that are complete go into the log, in the order in which they were
 * completed. Returns the number of generations that the log had not. A repetition changes nothing.
 */
export async function appendParts(
  transaction: Queryable,
  received: readonly Received[],
  now: Date,
): Promise<number> {
  const end = await lockEnd(transaction);
  const [alone, rest] = partition(received, ({ part }) => isComplete([part]));
  const finished = alone.flatMap(({ part }) => finishedOf([part], null));
  await storeParts(transaction, rest, now);
  const waiting = rest.length === 0 ? [] : await completed(transaction, rest);
  return await storeFinished(transaction, [...finished, ...waiting], { end, now });
}

/** A place in the order in which generations were last heard of. */
interface OverduePlace {
  readonly lastAt: Date;
  readonly accountId: string;
  readonly generationId: string;
}

/** A page of generations that are overdue. */
export interface Overdue {
  /** Number of those that went into the log. */
  readonly finished: number;
  /** The last one of the page. Undefined: no page follows. */
  readonly last: OverduePlace | undefined;
}

export interface OverdueBounds {
  readonly now: Date;
  readonly quickMs: number;
  readonly longMs: number;
  readonly limit: number;
}

/**
 * Ends generations of which nothing was heard for so long that the rest will not come: those of one page. Generations
 * that may still be under way stay, and do not keep later pages from being looked at.
 */
export async function endOverdue(
  transaction: Queryable,
  { now, quickMs, longMs, limit }: OverdueBounds,
  after?: OverduePlace,
): Promise<Overdue> {
  const end = await lockEnd(transaction);
  const rows = await transaction.query<StoredPart & OverduePlace>({
    text: `SELECT ${storedPart}, last_at AS "lastAt" FROM (
        SELECT account_id, generation_id, max(stored_at) AS last_at FROM pending_parts
        GROUP BY account_id, generation_id HAVING max(stored_at) < $1::timestamptz
          AND ($3::timestamptz IS NULL OR (max(stored_at), account_id, generation_id) > ($3::timestamptz, $4, $5))
        ORDER BY last_at, account_id, generation_id LIMIT $2::int
      ) overdue JOIN pending_parts USING (account_id, generation_id)
      ORDER BY last_at, account_id, generation_id`,
    values: [
      new Date(now.getTime() - quickMs),
      limit,
      after?.lastAt ?? null,
      after?.accountId ?? '',
      after?.generationId ?? '',
    ],
  });
  const looked = groupsOf(rows);
  const groups = looked.filter(
    ({ parts, rows: [row] }) =>
      !isUnderWay(parts) || (row && now.getTime() - row.lastAt.getTime() >= longMs),
  );
  await forget(transaction, groups);
  const generations = groups.flatMap(({ parts, contents }) => finishedOf(parts, contents));
  const finished = await storeFinished(transaction, generations, { end, now });
  return { finished, last: looked.length < limit ? undefined : rows.at(-1) };
}

/**
 * A model call or a tool may still be under way, which takes longer than the message of an end. An end without a fact
 * waits for as long: facts come from a spool, and are never lost.
 */
function isUnderWay(parts: readonly Part[]): boolean {
  const generation = assemble(parts);
  if (!generation) return true;
  if (parts.some(({ kind }) => kind === 'end')) return false;
  const { turns, toolCalls } = generation;
  const last = turns.at(-1);
  return !last || last.finishReason === 'tool-calls' || toolCalls.length > 0;
}

/** Makes the end of an empty log, where there is none. */
export async function beginLog(connection: Queryable): Promise<void> {
  await connection.query({
    text: 'INSERT INTO log_end (last_seq) VALUES (0) ON CONFLICT DO NOTHING',
    values: [],
  });
}

/** Takes the lock of all writers. */
async function lockEnd(transaction: Queryable): Promise<bigint> {
  const [row] = await transaction.query<{ seq: bigint }>({
    text: 'SELECT last_seq AS seq FROM log_end FOR UPDATE',
    values: [],
  });
  if (!row) throw new Error('invariant: the log has an end');
  return row.seq;
}

async function storeParts(
  transaction: Queryable,
  parts: readonly Received[],
  now: Date,
): Promise<void> {
  if (parts.length === 0) return;
  await transaction.query({
    text: `INSERT INTO pending_parts
        (account_id, workspace_id, generation_id, part, stored_at, body, contents)
      SELECT account_id, workspace_id, generation_id, part, $1::timestamptz, body, contents
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
        AS given (account_id, workspace_id, generation_id, part, body, contents)
      WHERE NOT EXISTS (SELECT FROM generations
        WHERE generations.account_id = given.account_id
          AND generations.generation_id = given.generation_id)
      ON CONFLICT DO NOTHING`,
    values: [
      now,
      parts.map(({ accountId }) => accountId),
      parts.map(({ workspaceId }) => workspaceId),
      parts.map(({ generationId }) => generationId),
      parts.map(({ name }) => name),
      parts.map(({ body }) => body),
      parts.map(({ contents }) => contents),
    ],
  });
}

/** Takes out the generations that are complete now. */
async function completed(
  transaction: Queryable,
  touched: readonly Received[],
): Promise<readonly Finished[]> {
  const rows = await transaction.query<StoredPart>({
    text: `SELECT ${storedPart} FROM pending_parts
      WHERE (account_id, generation_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    values: [
      touched.map(({ accountId }) => accountId),
      touched.map(({ generationId }) => generationId),
    ],
  });
  const groups = groupsOf(rows).filter(({ parts }) => isComplete(parts));
  await forget(transaction, groups);
  return groups.flatMap(({ parts, contents }) => finishedOf(parts, contents));
}

interface Group<Row extends StoredPart> {
  readonly rows: readonly Row[];
  readonly parts: readonly Part[];
  readonly contents: string | null;
}

function groupsOf<Row extends StoredPart>(rows: readonly Row[]): readonly Group<Row>[] {
  const grouped = Map.groupBy(
    rows,
    ({ accountId, generationId }) => `${accountId}/${generationId}`,
  );
  return [...grouped.values()].map((group) => ({
    rows: group,
    parts: group.map(({ body }) => readPart(body)),
    contents: group.find(({ contents }) => contents !== null)?.contents ?? null,
  }));
}

async function forget(
  transaction: Queryable,
  groups: readonly Pick<Group<StoredPart>, 'rows'>[],
): Promise<void> {
  const firsts = groups.flatMap(({ rows: [first] }) => first ?? []);
  if (firsts.length === 0) return;
  await transaction.query({
    text: `DELETE FROM pending_parts
      WHERE (account_id, generation_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    values: [
      firsts.map(({ accountId }) => accountId),
      firsts.map(({ generationId }) => generationId),
    ],
  });
}

function finishedOf(parts: readonly Part[], contents: string | null): readonly Finished[] {
  const generation = assemble(parts);
  return generation ? [{ generation, contents }] : [];
}

async function storeFinished(
  transaction: Queryable,
  finished: readonly Finished[],
  { end, now }: { readonly end: bigint; readonly now: Date },
): Promise<number> {
  if (finished.length === 0) return 0;
  const rows = finished
    .toSorted((a, b) => a.generation.completedAtMs - b.generation.completedAtMs)
    .map(({ generation, contents }) => ({
      generation,
      contents,
      body: writeGeneration(generation),
    }));
  const stored = await transaction.query<{ workspaceId: string; accountId: string; seq: bigint }>({
    text: `INSERT INTO generations
        (seq, account_id, workspace_id, generation_id, finished_at, stored_at, body, contents, bytes)
      SELECT $1::bigint + number, account_id, workspace_id, generation_id, finished_at, $2::timestamptz,
        body, contents, length(body) + coalesce(length(contents), 0)
      FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[], $8::text[]) WITH ORDINALITY
        AS given (account_id, workspace_id, generation_id, finished_at, body, contents, number)
      ON CONFLICT DO NOTHING
      RETURNING workspace_id AS "workspaceId", account_id AS "accountId", seq`,
    values: [
      end,
      now,
      rows.map(({ generation }) => generation.accountId),
      rows.map(({ generation }) => generation.workspaceId),
      rows.map(({ generation }) => generation.generationId),
      rows.map(({ generation }) => new Date(generation.completedAtMs).toISOString()),
      rows.map(({ body }) => body),
      rows.map(({ contents }) => contents),
    ],
  });
  await moveEnds(transaction, end + BigInt(rows.length), stored);
  return stored.length;
}

async function moveEnds(
  transaction: Queryable,
  end: bigint,
  stored: readonly {
    readonly workspaceId: string;
    readonly accountId: string;
    readonly seq: bigint;
  }[],
): Promise<void> {
  if (stored.length === 0) return;
  await transaction.query({ text: 'UPDATE log_end SET last_seq = $1', values: [end] });
  const last = new Map<string, (typeof stored)[number]>();
  for (const row of stored) {
    const known = last.get(row.workspaceId);
    if (!known || known.seq < row.seq) last.set(row.workspaceId, row);
  }
  const ends = [...last.values()].toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : 1));
  await transaction.query({
    text: `INSERT INTO workspace_ends (workspace_id, account_id, last_seq)
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
      ON CONFLICT (workspace_id) DO UPDATE SET last_seq = excluded.last_seq`,
    values: [
      ends.map(({ workspaceId }) => workspaceId),
      ends.map(({ accountId }) => accountId),
      ends.map(({ seq }) => seq),
    ],
  });
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  const first: Item[] = [];
  const second: Item[] = [];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
