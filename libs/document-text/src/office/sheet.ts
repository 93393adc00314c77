import { dateOf, type NumberFormats } from './number-formats.ts';
import { tableOf } from './text-builder.ts';
import { walkXml } from './walk-xml.ts';

const columnsMax = 16_384;
/** A cell far from the others does not make a table of empty cells. */
const emptyCellsMax = 50;

/** Returns the texts that cells share, in their order. */
export function readSharedStrings(xml: string): readonly string[] {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let phonetics = 0;
  walkXml(xml, {
    onOpen(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetics += 1;
      isText = name === 't' && phonetics === 0;
    },
    onText(more) {
      if (isText) text += more;
    },
    onClose(name) {
      isText = false;
      if (name === 'rPh') phonetics -= 1;
      else if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

interface Workbook {
  readonly strings: readonly string[];
  readonly formats: NumberFormats;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
}

/** Returns the cells of one sheet of an XLSX as a table of Markdown, with the results of its formulas. */
export function readSheet(xml: string, workbook: Workbook): string {
  const rows: string[][] = [];
  let cell: Cell | undefined;
  let isValue = false;
  let next = 0;
  walkXml(xml, {
    onOpen(name, { r, t, s }) {
      if (name === 'row') {
        rows.push([]);
        next = 0;
      } else if (name === 'c') {
        cell = { column: columnOf(r) ?? next, type: t ?? 'n', style: Number(s ?? 0), text: '' };
        next = cell.column + 1;
      }
      isValue = name === 'v' || name === 't';
    },
    onText(text) {
      if (isValue && cell) cell.text += text;
    },
    onClose(name) {
      isValue = false;
      if (name !== 'c' || !cell) return;
      place(rows.at(-1), cell, valueOf(cell, workbook));
      cell = undefined;
    },
  });
  return tableOf(rows);
}

function place(row: string[] | undefined, { column }: Cell, value: string): void {
  if (!row || value === '' || column >= columnsMax) return;
  const from = Math.max(row.length, column - emptyCellsMax);
  for (let empty = from; empty < column; empty += 1) row.push('');
  row.push(value);
}

/** Returns the number of a column, from 0, by the place of a cell such as `AB12`. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(place ?? '')?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function valueOf({ type, style, text }: Cell, { strings, formats }: Workbook): string {
  if (type === 's') return strings[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n' || text === '') return text;
  return formats.dates.has(style) ? dateOf(Number(text), formats) : text;
}
