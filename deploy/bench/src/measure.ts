import { columns } from './columns.ts';

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
  return columns([['measure', 'value', 'target', '', ''], ...rows], [1, 2]);
}

function verdictOf(value: number, target: Target): string {
  const met = target.kind === 'at least' ? value >= target.value : value <= target.value;
  return met ? 'met' : 'NOT MET';
}

/** Formats a number with as many digits as it is exact. */
export function shown(value: number): string {
  const fractionDigits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: fractionDigits });
}
