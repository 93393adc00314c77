import { clean, type Output } from '../output.ts';
import { tableOf } from '../projections/table.ts';
import type { Call } from './request.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** An answer for a human: a list as a table of its columns, one thing as a line per field. */
export function show(
  answer: unknown,
  { columns, rows }: Pick<Call, 'columns' | 'rows'>,
  output: Output,
): void {
  if (!isFields(answer)) return output.line('Done.');
  const { data: whole, ...beside } = answer;
  const data = rows !== undefined && isFields(whole) ? whole[rows] : whole;
  if (Array.isArray(data)) showRows(data.filter(isFields), columns, output);
  else if (isFields(data)) showFields(data, output);
  const { total_count: total, ...rest } = beside;
  if (typeof total === 'number' && Array.isArray(data)) output.line(`${data.length} of ${total}`);
  showFields(rest, output);
}

function showRows(rows: readonly Fields[], columns: readonly string[], output: Output): void {
  const names = columns.length > 0 ? columns : Object.keys(rows[0] ?? {});
  const heading = names.map((name) => name.toUpperCase());
  const cells = rows.map((row) => names.map((name) => cell(row[name])));
  for (const line of tableOf([heading, ...cells], output.columns)) output.line(line);
}

function showFields(fields: Fields, output: Output): void {
  const rows = Object.entries(fields).map(([name, value]) => [name, cell(value)]);
  for (const line of tableOf(rows)) output.line(line);
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return clean(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Returns true for an object of JSON. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
