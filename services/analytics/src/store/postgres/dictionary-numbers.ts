import type { DimensionName } from '@sluice/analytics-model';
import type { Queryable } from '@sluice/read-model';
import type { UsageRow } from '../../domain/usage-row.ts';
import { dayMs, floorTo, monthOf } from '../instants.ts';
import type { NumberedRow } from './numbered-row.ts';
import { dictionaries, type Dictionary, dimensionColumns } from '../tables.ts';

/** A combination of dimensions that some row has. */
interface Entry {
  readonly key: string;
  readonly accountId: string;
  readonly values: readonly string[];
  /** The first day of the newest month in which it is used. */
  readonly usedIn: string;
}

interface Known {
  readonly id: number;
  readonly usedIn: string;
}

/** The texts of a cache have at most so many characters. Then it starts anew. */
const cachedCharactersMax = 8_388_608;

/**
 * Gives combinations of dimensions, and accounts, their numbers, in the transaction that needs them. It remembers them,
 * so that a combination is looked up once. The lock of all writers is held.
 */
export class DictionaryNumbers {
  readonly #accounts = new Map<string, number>();
  readonly #known = new Map<string, Map<string, Known>>(
    dictionaries.map(({ table }) => [table, new Map()]),
  );
  #characters = 0;

  /** Forgets all, since a transaction was rolled back, or the tables are others. */
  forget(): void {
    this.#accounts.clear();
    for (const known of this.#known.values()) known.clear();
    this.#characters = 0;
  }

  async number(
    transaction: Queryable,
    rows: readonly UsageRow[],
  ): Promise<ReadonlyMap<UsageRow, NumberedRow>> {
    if (rows.length === 0) return new Map();
    if (this.#characters > cachedCharactersMax) this.forget();
    await this.#learnAccounts(transaction, rows);
    const combined = combinationsOf(rows);
    const combinations = [...new Set(combined.values())];
    for (const [place, dictionary] of dictionaries.entries())
      await this.#learn(
        transaction,
        dictionary,
        combinations.map((entries) => present(entries[place])),
      );
    const refs = new Map(combinations.map((entries) => [entries, this.#refsOf(entries)]));
    return new Map(
      rows.map((row) => {
        const { accountId, factId, revision, atMs, countedAtMs, amounts, bins } = row;
        const numbered: NumberedRow = {
          account: present(this.#accounts.get(accountId)),
          factId,
          revision,
          atMs,
          countedAtMs,
          amounts,
          bins,
          generationId: row.dimensions.generation_id,
          refs: present(refs.get(present(combined.get(row)))),
        };
        return [row, numbered];
      }),
    );
  }

  #refsOf(entries: Combination): NumberedRow['refs'] {
    const numbers = dictionaries.map(({ table, ref }, place) => {
      const { key } = present(entries[place]);
      return [ref, present(this.#known.get(table)?.get(key)).id];
    });
    return Object.fromEntries(numbers) as NumberedRow['refs'];
  }

  async #learnAccounts(transaction: Queryable, rows: readonly UsageRow[]): Promise<void> {
    const ids = new Set(rows.map(({ accountId }) => accountId));
    const unknown = [...ids].filter((id) => !this.#accounts.has(id)).toSorted();
    if (unknown.length === 0) return;
    const insert = `INSERT INTO accounts (account_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
    await transaction.query({ name: 'insert-accounts', text: insert, values: [unknown] });
    const stored = await transaction.query<{ id: number; accountId: string }>({
      name: 'number-accounts',
      text: `SELECT id, account_id AS "accountId" FROM accounts WHERE account_id = ANY($1::text[])`,
      values: [unknown],
    });
    for (const { id, accountId } of stored) {
      this.#accounts.set(accountId, id);
      this.#characters += accountId.length;
    }
  }

  async #learn(
    transaction: Queryable,
    dictionary: Dictionary,
    entries: readonly Entry[],
  ): Promise<void> {
    const known = this.#known.get(dictionary.table) ?? new Map<string, Known>();
    const isLacking = ({ key, usedIn }: Entry) => (known.get(key)?.usedIn ?? '') < usedIn;
    const newest = new Map<string, Entry>();
    for (const entry of entries) {
      if (!isLacking(entry)) continue;
      if ((newest.get(entry.key)?.usedIn ?? '') < entry.usedIn) newest.set(entry.key, entry);
    }
    const lacking = [...newest.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
    if (lacking.length === 0) return;
    for (const entry of await stored(transaction, dictionary, lacking)) {
      if (!known.has(entry.key)) this.#characters += entry.key.length;
      known.set(entry.key, entry);
    }
  }
}

/** An entry for each dictionary. */
type Combination = readonly Entry[];

const numbered = dictionaries.flatMap(({ dimensions }): readonly DimensionName[] => dimensions);

/** Returns the entries of each row. Rows that come together mostly share them. */
function combinationsOf(rows: readonly UsageRow[]): ReadonlyMap<UsageRow, Combination> {
  let last: { readonly row: UsageRow; readonly entries: Combination } | undefined;
  const combined = new Map<UsageRow, Combination>();
  for (const row of rows) {
    if (!last || !areOfOneCombination(last.row, row))
      last = { row, entries: dictionaries.map((dictionary) => entryOf(dictionary, row)) };
    combined.set(row, last.entries);
  }
  return combined;
}

function areOfOneCombination(one: UsageRow, other: UsageRow): boolean {
  return (
    one.accountId === other.accountId &&
    floorTo(one.atMs, dayMs) === floorTo(other.atMs, dayMs) &&
    numbered.every((name) => one.dimensions[name] === other.dimensions[name])
  );
}

function entryOf({ dimensions }: Dictionary, { accountId, atMs, dimensions: of }: UsageRow): Entry {
  const values = dimensions.map((name) => of[name]);
  // No text of a dimension has a zero character.
  const key = [accountId, ...values].join('\0');
  return { key, accountId, values, usedIn: monthOf(atMs)[0].toISOString().slice(0, 10) };
}

type Stored = Known & { readonly key: string };

/** Inserts the entries that are new, notes the months of all, and returns their numbers. */
async function stored(
  transaction: Queryable,
  { table, dimensions }: Dictionary,
  entries: readonly Entry[],
): Promise<readonly Stored[]> {
  const columns = dimensions.map((name) => dimensionColumns[name]);
  const types = ['text', ...columns.map(() => 'text'), 'date'];
  const given = `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})
    AS given (account_id, ${columns.join(', ')}, used_in)`;
  const digest = `dictionary_digest(${columns.join(', ')})`;
  const values = [
    entries.map(({ accountId }) => accountId),
    ...columns.map((_, at) => entries.map((entry) => entry.values[at] ?? '')),
    entries.map(({ usedIn }) => usedIn),
  ];
  const rows = await transaction.query<Record<string, string> & { id: number; usedIn: string }>({
    name: `number-${table}`,
    text: `WITH given AS MATERIALIZED (SELECT ${digest} AS digest, * FROM ${given}),
      noted AS (
        UPDATE ${table} AS known SET used_in = given.used_in FROM given
        WHERE known.account_id = given.account_id AND known.digest = given.digest
          AND known.used_in < given.used_in),
      made AS (
        INSERT INTO ${table} (account_id, digest, ${columns.join(', ')}, used_in)
        SELECT account_id, digest, ${columns.join(', ')}, used_in FROM given
        WHERE NOT EXISTS (SELECT FROM ${table} AS known
          WHERE known.account_id = given.account_id AND known.digest = given.digest)
        RETURNING id, account_id, digest)
      SELECT coalesce(known.id, made.id) AS id, given.account_id, ${columns.map((name) => `given.${name}`).join(', ')},
        greatest(known.used_in, given.used_in)::text AS "usedIn"
      FROM given
        LEFT JOIN ${table} AS known ON known.account_id = given.account_id AND known.digest = given.digest
        LEFT JOIN made ON made.account_id = given.account_id AND made.digest = given.digest`,
    values,
  });
  return rows.map((row) => ({
    id: row.id,
    usedIn: row.usedIn,
    key: ['account_id', ...columns].map((name) => row[name]).join('\0'),
  }));
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('invariant: the number is known');
  return value;
}
