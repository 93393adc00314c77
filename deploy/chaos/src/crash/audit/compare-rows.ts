import type { Row, Rows } from './fold.ts';

/** Each row that differs, in a sentence; a column that only one side knows is a difference. */
export function compareRows(name: string, folded: Rows, stored: Rows): readonly string[] {
  const keys = new Set([...folded.keys(), ...stored.keys()]);
  return [...keys].flatMap((key) => {
    const [fold, row] = [folded.get(key), stored.get(key)];
    if (!row) return [`${name} has no row ${key}, which the events make`];
    if (!fold) return [`${name} has a row ${key}, which no event makes`];
    return differentColumns(fold, row).map(
      (column) =>
        `${name} ${key}: ${column} is ${row[column] ?? 'absent'}, by the events ${fold[column] ?? 'absent'}`,
    );
  });
}

function differentColumns(fold: Row, row: Row): readonly string[] {
  const columns = new Set([...Object.keys(fold), ...Object.keys(row)]);
  return [...columns].filter((column) => fold[column] !== row[column]);
}
