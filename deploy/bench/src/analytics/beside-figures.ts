import { type Measure, measured, shown } from '../measure.ts';
import { percentile } from '../percentile.ts';

/** Some facts that the ledger has counted. */
export interface Round {
  /** Facts per second of the ledger. */
  readonly perSecond: number;
  /** Processor time a fact, of the ledger and of its connections to PostgreSQL. */
  readonly microseconds: number;
  /** Facts per second of analytics meanwhile. */
  readonly countedByAnalytics: number;
}

/** Rounds of both kinds that took turns. The first and the last were of the ledger alone. */
export interface Rounds {
  readonly alone: readonly Round[];
  readonly beside: readonly Round[];
  /** Analytics had a processor, and all else had the others. */
  readonly isPinned: boolean;
}

const slowerPercentMax = 5;
const ingestedMin = 5_000;

/** Returns what the ledger loses while analytics counts, and how fast that counts. */
export function besideMeasures({ alone, beside, isPinned }: Rounds): readonly Measure[] {
  const middle = (rounds: readonly Round[], of: (round: Round) => number) =>
    percentile(rounds.map(of), 0.5);
  const rate = ({ perSecond }: Round) => perSecond;
  const cost = ({ microseconds }: Round) => microseconds;
  const count = (value: number) => Math.round(value).toLocaleString('en');
  const condition = isPinned
    ? 'analytics and its connections to PostgreSQL on one processor, all else on the others'
    : 'on all processors: no taskset, or one processor only';
  return [
    measured(
      'the ledger counts slower while analytics counts as fast as it can',
      (1 - middleShare({ alone, beside }, rate)) * 100,
      '%',
      {
        atMost: isPinned ? slowerPercentMax : undefined,
        note: `${count(middle(beside, rate))} facts/s instead of ${count(middle(alone, rate))}; ${condition}`,
      },
    ),
    measured(
      'facts that analytics counted meanwhile, with bus and service',
      middle(beside, ({ countedByAnalytics }) => countedByAnalytics),
      '/s',
      { atLeast: isPinned ? ingestedMin : undefined, note: condition },
    ),
    measured(
      'processor time of the ledger a fact, more while analytics counts',
      (middleShare({ alone, beside }, cost) - 1) * 100,
      '%',
      {
        note:
          `${shown(middle(beside, cost))} µs instead of ${shown(middle(alone, cost))} µs, ` +
          'of the service and its connections to PostgreSQL',
      },
    ),
  ];
}

/** Divides each round beside analytics by the mean of the two around it, and returns the middle of these shares. */
function middleShare(
  { alone, beside }: Pick<Rounds, 'alone' | 'beside'>,
  of: (round: Round) => number,
): number {
  const shares = beside.map((round, index) => {
    const around = alone.slice(index, index + 2).map(of);
    return of(round) / (around.reduce((sum, value) => sum + value, 0) / around.length);
  });
  return percentile(shares, 0.5);
}
