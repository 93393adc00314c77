import type { DimensionName } from '@sluice/analytics-model';
import { type Dictionary, dimensionColumns } from '../tables.ts';

/** A list of more entries would take longer to make than it saves. */
const entriesMax = 8_192;
/** Numbers of other accounts lie between those of an account. */
const numbersMax = 65_536;

/**
 * Writes the number of the first entry that has the same values of these dimensions as the entry of a row. Rows
 * have few groups then: thousands of calls have nine providers. PostgreSQL makes the list of these numbers once,
 * and looks up one for each row. An entry that is not in the list has its own number.
 */
export function alikeNumber(
  { table, ref }: Dictionary,
  names: readonly DimensionName[],
  account: string,
): string {
  const columns = names.map((name) => dimensionColumns[name]).join(', ');
  // The list begins with the first number. A zero stands for each number of another account.
  const list = `(
      SELECT format('[%s:%s]={%s}', min(id), max(next) - 1,
        string_agg(alike || repeat(',0', next - id - 1), ',' ORDER BY id))::integer[]
      FROM (
        SELECT id, min(id) OVER () AS first, coalesce(lead(id) OVER (ORDER BY id), id + 1) AS next,
          min(id) OVER (PARTITION BY ${columns}) AS alike
        FROM (SELECT id, ${columns} FROM ${table} WHERE account_id = ${account}
          ORDER BY id LIMIT ${entriesMax}) AS entry) AS each
      WHERE next <= first + ${numbersMax} HAVING count(*) > 0)`;
  return `coalesce((${list})[one.${ref}], one.${ref}) AS ${ref}`;
}
