import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import { showProgress } from '../program.ts';

/** The same figure of a hit and of a miss, taken one after the other. */
export interface Round<Figure> {
  readonly hit: Figure;
  readonly miss: Figure;
}

interface Turns<Figure> {
  readonly what: string;
  /** Returns the cost of a request. If it clears, the kept answer is dropped before, which makes a miss. */
  readonly usOf: (clears: boolean) => Promise<Figure>;
}

const rounds = 9;
/** A process costs the most in its first seconds at full load. */
const warmUpMs = 25_000;

/** Measures misses and hits in turns, so that both meet the same machine, after a warm-up of both. */
export async function inTurns<Figure>({
  what,
  usOf,
}: Turns<Figure>): Promise<readonly Round<Figure>[]> {
  const round = async () => {
    const miss = await usOf(true);
    return { miss, hit: await usOf(false) };
  };
  showProgress(`hits and misses ${what}: the warm-up`);
  for (const startMs = performance.now(); performance.now() - startMs < warmUpMs;) await round();
  const all: Round<Figure>[] = [];
  while (all.length < rounds) {
    showProgress(`hits and misses ${what}, ${all.length + 1} of ${rounds}`);
    all.push(await round());
  }
  return all;
}

/** Returns the ratio of hits to misses, as the median of the rounds, with both in microseconds beside it. */
export function ratioOf(name: string, rounds: readonly Round<number>[], atMost?: number): Measure {
  const median = (figure: (round: Round<number>) => number) => percentile(rounds.map(figure), 0.5);
  const [hitUs, missUs] = [median(({ hit }) => hit), median(({ miss }) => miss)];
  const ratio = median(({ hit, miss }) => hit / miss);
  return measured(`processor time of a cache hit ${name}`, ratio, '× a miss', {
    atMost,
    note: `${hitUs.toFixed(0)} µs of ${missUs.toFixed(0)} µs`,
  });
}
