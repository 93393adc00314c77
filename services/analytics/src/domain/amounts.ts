import { type Amounts, type Measure, measureNames, measures } from '@sluice/analytics-model';

const one = 1n;
const zeros = Object.fromEntries(
  measureNames.map((name) => [name, measures[name].optional ? null : 0n]),
) as Amounts;

/** Returns amounts that are 0, or were never recorded, but for the given ones. */
export function amounts(given: Partial<Amounts>): Amounts {
  return { ...zeros, facts: one, ...given };
}

/** Returns a sum. An amount that neither has stays unrecorded. */
export function plus(a: Amounts, b: Amounts): Amounts {
  return eachMeasure((name) => {
    const [one, other] = [a[name], b[name]];
    return one === null ? other : one + (other ?? 0n);
  });
}

/** Returns what has to be added to `before` to make `after` of it. */
export function minus(after: Amounts, before: Amounts): Amounts {
  return eachMeasure((name) => {
    const [one, other] = [after[name], before[name]];
    return other === null ? one : (one ?? 0n) - other;
  });
}

function eachMeasure(amountOf: (name: Measure) => bigint | null): Amounts {
  return Object.fromEntries(measureNames.map((name) => [name, amountOf(name)])) as Amounts;
}
