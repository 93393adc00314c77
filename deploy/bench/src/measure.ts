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

interface About {
  /** The target, one of both. */
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
  readonly note?: string | undefined;
}

/** Makes a line of a report. */
export function measured(
  name: string,
  value: number,
  unit: string,
  { atLeast, atMost, note }: About = {},
): Measure {
  return {
    name,
    value,
    unit,
    ...(atLeast !== undefined && { target: { kind: 'at least', value: atLeast } }),
    ...(atMost !== undefined && { target: { kind: 'at most', value: atMost } }),
    ...(note !== undefined && { note }),
  };
}

/** Returns true if the measure has no target or meets it. */
export function isMet({ value, target }: Measure): boolean {
  if (target === undefined) return true;
  return target.kind === 'at least' ? value >= target.value : value <= target.value;
}

/** A table for people: numbers to the right, and whether the target is met. */
export function tableOf(measures: readonly Measure[]): string {
  const rows = measures.map((measure) => {
    const { name, value, unit, target, note = '' } = measure;
    const bound = target && `${target.kind === 'at least' ? '≥' : '≤'} ${shown(target.value)}`;
    const verdict = target && (isMet(measure) ? 'met' : 'NOT MET');
    return [name, `${shown(value)} ${unit}`, bound ?? '', verdict ?? '', note];
  });
  return columns([['measure', 'value', 'target', '', ''], ...rows], [1, 2]);
}

/** Formats a number with as many digits as it is exact. */
export function shown(value: number): string {
  const fractionDigits = Math.abs(value) >= 100 ? 0 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: fractionDigits });
}
