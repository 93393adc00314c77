/** A value of a parameter. Lists become SQL arrays. For JSON pass text and cast it. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | readonly (string | number | bigint | boolean | null)[];

/** One SQL statement with its parameters `$1…`. A name makes it prepared, once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Runs statements. int8 comes back as bigint, timestamptz as Date, numeric as string. */
export interface Queryable {
  /**
   * The rows, unchecked: the statement decides their shape.
   * Throws Fault read_model_unavailable (connection, overload, time-out, deadlock) or StatementFailed.
   */
  query<Row extends object = Record<string, unknown>>(
    statement: Statement,
  ): Promise<readonly Row[]>;
}

/** True for a name of a schema or table that means the same with and without quotes. */
export function isPlainName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,62}$/.test(name);
}
