import { type Measure, measured, shown } from '../measure.ts';
import { percentile } from '../percentile.ts';
import type { TableSize } from './tables.ts';

/** Times of answers, and the processor time of one, of the service and PostgreSQL together. */
export interface Answers {
  readonly times: readonly number[];
  readonly processorMs: number;
}

/** Holds the figures of one size. */
export interface Figures {
  readonly rows: number;
  readonly perSecond: number;
  readonly ownMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly sizes: readonly TableSize[];
  readonly year: Answers;
  readonly month: Answers;
  readonly slowestPair: string;
  readonly minutes: Answers;
}

const bytesOf = (sizes: readonly TableSize[]) =>
  sizes.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);

/** Returns the figures of one size. */
export function measuresOf(figures: Figures): readonly Measure[] {
  const { rows, ownMicroseconds, postgresMicroseconds, sizes, year, month, minutes } = figures;
  const facts = `${rows.toLocaleString('en')} facts`;
  const perFact = ownMicroseconds + postgresMicroseconds;
  const count = (value: number) => Math.round(value).toLocaleString('en');
  return [
    measured(
      'facts counted per second of one core, of the service and PostgreSQL together',
      1e6 / perFact,
      '/s',
      {
        atLeast: 5_000,
        note: `${shown(ownMicroseconds)} µs of the service and ${shown(postgresMicroseconds)} µs of PostgreSQL each`,
      },
    ),
    measured('facts counted by the clock', figures.perSecond, '/s'),
    measured(`disk after a year, ${facts}`, bytesOf(sizes) / rows, 'B a fact', {
      atMost: 150,
      note: 'tables and indexes, with the single facts of 31 days',
    }),
    ...sizes
      .filter((size) => bytesOf([size]) > rows)
      .map((size) =>
        measured(`disk: ${size.table}`, bytesOf([size]) / rows, 'B a fact', {
          note:
            `${count(size.rows)} rows of ${count(size.tableBytes / size.rows)} B, ` +
            `and ${count(size.indexBytes / size.rows)} B of indexes`,
        }),
      ),
    timed('365 days by day and model, p50', year, 0.5, 50),
    timed('31 days by any two dimensions, p95', month, 0.95, 300, figures.slowestPair),
    timed('3 hours by minute and model, p50', minutes, 0.5, 100),
  ];
}

function timed(
  name: string,
  { times, processorMs }: Answers,
  share: number,
  atMost: number,
  remark = '',
): Measure {
  const note = [`${shown(processorMs)} ms of processors each`, remark].filter(Boolean).join('; ');
  return measured(name, percentile(times, share), 'ms', { atMost, note });
}

/** Shows how figures grow where there are ten times as many facts: 10 would be with the facts. */
export function slopesOf(tenth: Figures, whole: Figures): readonly Measure[] {
  const isSum = ({ table }: TableSize) => table.startsWith('usage_');
  const ratios = [
    [
      'disk of sums',
      'MB',
      bytesOf(tenth.sizes.filter(isSum)) / 1e6,
      bytesOf(whole.sizes.filter(isSum)) / 1e6,
    ],
    [
      'processor time of 365 days by day and model',
      'ms',
      tenth.year.processorMs,
      whole.year.processorMs,
    ],
    [
      'time of 365 days by day and model, p50',
      'ms',
      percentile(tenth.year.times, 0.5),
      percentile(whole.year.times, 0.5),
    ],
    [
      'processor time of 31 days by two dimensions',
      'ms',
      tenth.month.processorMs,
      whole.month.processorMs,
    ],
  ] as const;
  const [few, many, more] = [tenth.rows, whole.rows, 10 * whole.rows].map(
    (rows) => `${rows.toLocaleString('en')} facts`,
  );
  return ratios.map(([what, unit, small, large]) =>
    measured(`slope, ten times as many facts: ${what}`, large / small, '×', {
      note:
        `${shown(small)} ${unit} with ${few}, ${shown(large)} ${unit} with ${many}; ` +
        `by this slope ${shown((large * large) / small)} ${unit} with ${more}`,
    }),
  );
}
