import { byStream, type Event, type EventCodec, type RecordedEvent } from '@sluice/es';
import type { Projection } from './projection.ts';
import { isPlainName, type Queryable } from './statement.ts';

export interface FoldedStreams<State, E extends Event> {
  /** Has the columns `id`, `account_id`, `revision` and `state`. */
  readonly table: string;
  /** The rest of a stream's name is the row's id. */
  readonly streamPrefix: string;
  readonly initial: State;
  readonly evolve: (state: State, event: E) => State;
  readonly codec: EventCodec<E>;
  /** Returns undefined if the stream has not begun. Such a stream gets no row. */
  readonly accountIdOf: (state: State) => string | undefined;
}

interface StoredRow {
  readonly id: string;
  readonly revision: bigint;
  readonly state: string;
}

interface FoldedRow<State> {
  readonly id: string;
  readonly revision: bigint;
  readonly state: State;
}

/**
 * The `apply` of a projection that keeps one row for each stream: its state as `evolve` folds it, and the revision
 * that this is. Questions that need exactly what a command handler sees are answered from it, without the event
 * store. A change of the state's shape is a new version of the projection, in a table of its own.
 */
export function foldStreams<State, E extends Event>(
  folded: FoldedStreams<State, E>,
): Projection['apply'] {
  const { table } = folded;
  if (!isPlainName(table)) throw new Error(`"${table}" is no plain name of a table`);
  return (transaction, events) => applyTo(transaction, events, folded);
}

const lastRevision = 2n ** 63n - 1n;

/**
 * The `applyGone` of such a projection: the row of a stream that is gone has the given state for good, and belongs to
 * no account. It is the same whether a rebuild still finds events of the stream or not.
 */
export function endStreams<State>({
  table,
  streamPrefix,
  state,
}: Pick<FoldedStreams<State, never>, 'table' | 'streamPrefix'> & {
  readonly state: State;
}): NonNullable<Projection['applyGone']> {
  if (!isPlainName(table)) throw new Error(`"${table}" is no plain name of a table`);
  return async (transaction, streams) => {
    await transaction.query({
      name: `end-${table}`,
      text: `INSERT INTO ${table} (id, account_id, revision, state)
             SELECT id, '', $2::bigint, $3::jsonb FROM unnest($1::text[]) AS gone (id)
             ON CONFLICT (id) DO UPDATE SET
               account_id = excluded.account_id, revision = excluded.revision, state = excluded.state`,
      values: [
        streams.map((stream) => idOf(stream, { streamPrefix })),
        lastRevision,
        foldedText(state),
      ],
    });
  };
}

/** The state of a row's column `state`, selected as text. */
export function parseFoldedState(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) => bigintOf(value) ?? value);
}

async function applyTo<State, E extends Event>(
  transaction: Queryable,
  events: readonly RecordedEvent[],
  folded: FoldedStreams<State, E>,
): Promise<void> {
  const streams = byStream(events);
  const before = await rowsBefore<State>(transaction, streams, folded);
  const rows = [...streams].flatMap(([stream, ofStream]) => {
    const id = idOf(stream, folded);
    return foldedRow(id, before.get(id), ofStream, folded) ?? [];
  });
  if (rows.length > 0) await write(transaction, rows, folded);
}

/** Streams that begin in the batch are not looked up. */
async function rowsBefore<State>(
  transaction: Queryable,
  streams: ReadonlyMap<string, readonly RecordedEvent[]>,
  folded: Pick<FoldedStreams<State, never>, 'table' | 'streamPrefix'>,
): Promise<ReadonlyMap<string, FoldedRow<State>>> {
  const ids = [...streams]
    .filter(([, [first]]) => first?.revision !== 0n)
    .map(([stream]) => idOf(stream, folded));
  if (ids.length === 0) return new Map();
  const rows = await transaction.query<StoredRow>({
    name: `find-${folded.table}`,
    text: `SELECT id, revision, state::text AS state FROM ${folded.table} WHERE id = ANY ($1)`,
    values: [ids],
  });
  return new Map(
    rows.map(({ id, revision, state }) => [
      id,
      { id, revision, state: parseFoldedState(state) as State },
    ]),
  );
}

function foldedRow<State, E extends Event>(
  id: string,
  before: FoldedRow<State> | undefined,
  events: readonly RecordedEvent[],
  { initial, evolve, codec }: FoldedStreams<State, E>,
): FoldedRow<State> | undefined {
  const seen = before?.revision ?? -1n;
  const fresh = events.filter(({ revision }) => revision > seen);
  const last = fresh.at(-1);
  if (!last) return undefined;
  const decoded = fresh.map((recorded) => codec.decode(recorded));
  const state = decoded.reduce(evolve, before ? before.state : initial);
  return { id, revision: last.revision, state };
}

async function write<State, E extends Event>(
  transaction: Queryable,
  rows: readonly FoldedRow<State>[],
  { table, accountIdOf }: FoldedStreams<State, E>,
): Promise<void> {
  const owned = rows.flatMap(({ id, revision, state }) => {
    const accountId = accountIdOf(state);
    return accountId === undefined ? [] : [{ id, accountId, revision, state }];
  });
  await transaction.query({
    name: `write-${table}`,
    text: `INSERT INTO ${table} (id, account_id, revision, state)
           SELECT id, account_id, revision, state::jsonb
           FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[])
                AS folded (id, account_id, revision, state)
           ON CONFLICT (id) DO UPDATE SET
             account_id = excluded.account_id, revision = excluded.revision, state = excluded.state
           WHERE excluded.revision > ${table}.revision`,
    values: [
      owned.map(({ id }) => id),
      owned.map(({ accountId }) => accountId),
      owned.map(({ revision }) => revision),
      owned.map(({ state }) => foldedText(state)),
    ],
  });
}

function idOf(stream: string, { streamPrefix }: { readonly streamPrefix: string }): string {
  return stream.slice(streamPrefix.length);
}

/** JSON has no bigint: one is an object with this single member. */
const bigintName = '$bigint';

function foldedText(state: unknown): string {
  return JSON.stringify(state, (_name, value: unknown) =>
    typeof value === 'bigint' ? { [bigintName]: value.toString() } : value,
  );
}

function bigintOf(value: unknown): bigint | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, bigintName))
    return undefined;
  return BigInt((value as { readonly [bigintName]: string })[bigintName]);
}
