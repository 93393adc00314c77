import { plainNumber } from './numbers.ts';
import type { Row } from './rows.ts';

/** Returns a line for the names of the columns, and one for each row, quoted as in RFC 4180. */
export function csvOf(columns: readonly string[], rows: readonly Row[]): readonly string[] {
  return [
    columns.map(textCell).join(','),
    ...rows.map((row) => columns.map((column) => cellOf(row[column])).join(',')),
  ];
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? plainNumber(value) : '';
  return textCell(typeof value === 'string' ? value : JSON.stringify(value));
}

/** A spreadsheet takes such a text for a formula, also behind spaces and with full-width signs. */
const formulaPattern = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
/** Controls but those that text files have: a file may be shown in a terminal. */
const controlPattern = /[^\P{Cc}\t\r\n]/gu;

function textCell(text: string): string {
  const safe = text.replaceAll(controlPattern, '\u{FFFD}');
  const harmless = formulaPattern.test(safe) ? `'${safe}` : safe;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
