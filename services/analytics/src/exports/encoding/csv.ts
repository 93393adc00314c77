import type { Cell, Column } from '../../store/export-source.ts';
import type { Encoder } from './encoder.ts';

/** Returns an encoder of CSV with the quoting of RFC 4180: a line for the names, and a line feed after each row. */
export function csvEncoder(columns: readonly Column[]): Encoder {
  let names = lineOf(columns.map(({ name }) => name));
  const isInstant = columns.map(({ kind }) => kind === 'instant');
  const textOf = (cell: Cell, at: number) =>
    isInstant[at] && typeof cell === 'number' ? new Date(cell).toISOString() : cell;
  return {
    add(rows) {
      const lines = rows.map((row) => lineOf(row.map(textOf))).join('');
      const text = names + lines;
      names = '';
      return Buffer.from(text);
    },
    end() {
      return Buffer.from(names);
    },
  };
}

const lineOf = (cells: readonly Cell[]) => `${cells.map(cellText).join(',')}\n`;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // A spreadsheet would run it as a formula.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
