import type { Queryable, SqlValue } from '@sluice/read-model';

/** The types of the columns that change, by our own names: never a text from outside. */
const columnTypes = {
  name: 'text',
  disabled: 'boolean',
  limit_nano_usd: 'bigint',
  limit_reset: 'text',
  include_byok_in_limit: 'boolean',
} as const;

type Column = keyof typeof columnTypes;
type Value = Exclude<SqlValue, Date | readonly unknown[]>;

/** Gathers the changes of keys in one batch. Only the last value of each column matters. */
export class ApiKeyChanges {
  readonly #columns = new Map<Column, Map<string, Value>>();
  readonly #changedAt = new Map<string, string>();
  readonly #deleted: string[] = [];

  set(hash: string, column: Column, value: Value, at: string): void {
    const changed = this.#columns.get(column) ?? new Map<string, Value>();
    this.#columns.set(column, changed.set(hash, value));
    this.#changedAt.set(hash, at);
  }

  delete(hash: string): void {
    this.#deleted.push(hash);
  }

  /** A statement for each column; a key is deleted after all else that happened to it. */
  async write(transaction: Queryable): Promise<void> {
    const changes = [...this.#columns].map(([column, changed]) =>
      this.#update(transaction, column, changed),
    );
    const text = 'DELETE FROM api_keys WHERE hash = ANY ($1)';
    if (this.#deleted.length > 0)
      changes.push(transaction.query({ text, values: [this.#deleted] }));
    await Promise.all(changes);
  }

  async #update(
    transaction: Queryable,
    column: Column,
    changed: ReadonlyMap<string, Value>,
  ): Promise<unknown> {
    const hashes = [...changed.keys()];
    const values = [...changed.values()];
    const changedAt = hashes.map((hash) => this.#changedAt.get(hash) ?? null);
    const [hash, value, at] = [hashes[0], values[0], changedAt[0]];
    if (hashes.length === 1 && hash !== undefined && value !== undefined && at !== undefined)
      return await transaction.query({
        name: `update-api-key-${column}`,
        text: `UPDATE api_keys SET ${column} = $2, updated_at = $3 WHERE hash = $1`,
        values: [hash, value, at],
      });
    // Without a name: it is planned for the table as it is now, and a rebuild begins with none.
    return await transaction.query({
      text: `UPDATE api_keys SET ${column} = changed.value, updated_at = changed.at
             FROM unnest($1::text[], $2::${columnTypes[column]}[], $3::timestamptz[])
                  AS changed (hash, value, at)
             WHERE api_keys.hash = changed.hash`,
      values: [hashes, values, changedAt],
    });
  }
}
