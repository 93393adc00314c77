import type { Sustained } from '../sustained/sustained-bench.ts';
import type { Results } from './results-file.ts';

type Kept = Pick<Sustained, 'sustained_rps' | 'vs_bare' | 'vs_portkey' | 'lag_p99_s'> & {
  readonly date: string;
  readonly commit: string;
};

/** Returns the line at the top of `make bench`: what the last kept `make bench-sustained` found. */
export function sustainedLine({ sustained }: Results): string {
  const kept = sustained as Kept | undefined;
  if (!kept?.sustained_rps) return 'Sustained: make bench-sustained has not been run here.';
  const { sustained_rps, vs_bare, vs_portkey, lag_p99_s, date, commit } = kept;
  const times = (ratio: number | null, name: string) =>
    ratio === null ? [] : [`${ratio.toFixed(2)} times ${name} on one processor`];
  return [
    `Sustained on the whole machine: ${sustained_rps.toFixed(0)} requests/s`,
    ...times(vs_bare, 'the bare proxy'),
    ...times(vs_portkey, 'Portkey'),
    `lag ${lag_p99_s.toFixed(2)} s`,
    `${date.slice(0, 10)}, ${commit.slice(0, 8)}`,
  ].join('; ');
}
