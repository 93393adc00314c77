/** One line of a report. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The target value, where there is one. */
  readonly target?: Target;
  /** A remark printed next to the value. */
  readonly note?: string;
}

export interface Target {
  readonly kind: 'at least' | 'at most';
  readonly value: number;
}

/** A table for people: numbers to the right, and whether the target is met. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = measures.map(({ name, value, unit, target, note = '' }) => [
    name,
    `${shown(value)} ${unit}`,
    target ? `${target.kind === 'at least' ? '≥' : '≤'} ${shown(target.value)}` : '',
    target ? verdictOf(value, target) : '',
    note,
  ]);
  const header = ['measure', 'value', 'target', '', ''];
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  return [header, ...rows]
    .map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0, column)))
    .map((row) => row.join('  ').trimEnd())
    .join('\n');
}

const isNumber = (column: number) => column === 1 || column === 2;

function padded(cell: string, width: number, column: number): string {
  return isNumber(column) ? cell.padStart(width) : cell.padEnd(width);
}

function verdictOf(value: number, target: Target): string {
  const met = target.kind === 'at least' ? value >= target.value : value <= target.value;
  return met ? 'met' : 'NOT MET';
}

function shown(value: number): string {
  const fractionDigits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: fractionDigits });
}
