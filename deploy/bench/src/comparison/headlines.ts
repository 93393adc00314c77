import { subjectNames, type SubjectName } from '../subjects/subject.ts';
import { headlineCell, latencyCell, type Cell } from './plan.ts';
import { isRowOf, rounded, type Ratios, type Row } from './rows.ts';

/** The figures at the top of the report. */
export interface Headline {
  readonly name: SubjectName;
  readonly ratios: Ratios;
  readonly cpu_ratios: Ratios;
  /** The latency added to a lone request: the percentile less that of `direct`, at the same rate for all subjects. */
  readonly added_p50_ms: number | null;
  readonly added_p99_ms: number | null;
  /** The same for the first piece of text of a stream. */
  readonly added_first_delta_p50_ms: number | null;
  readonly added_first_delta_p99_ms: number | null;
}

const unknownRatios: Ratios = { vs_portkey: null, vs_bare_proxy: null };

/** One line for each subject but `direct`. */
export function headlinesOf(rows: readonly Row[]): readonly Headline[] {
  const streamed = { ...latencyCell, isStreaming: true };
  return subjectNames
    .filter((name) => name !== 'direct' && rows.some((row) => row.name === name))
    .map((name) => {
      const added = (cell: Cell, figure: (row: Row) => number | null) => {
        const [mine, direct] = [name, 'direct' as const].map((subject) =>
          rows.find((row) => isRowOf(row, subject, cell)),
        );
        const [own, least] = [mine && figure(mine), direct && figure(direct)];
        return typeof own === 'number' && typeof least === 'number' ? rounded(own - least) : null;
      };
      const headline = rows.find((row) => isRowOf(row, name, headlineCell));
      return {
        name,
        ratios: headline?.ratios ?? unknownRatios,
        cpu_ratios: headline?.cpu_ratios ?? unknownRatios,
        added_p50_ms: added(latencyCell, (row) => row.p50_ms),
        added_p99_ms: added(latencyCell, (row) => row.p99_ms),
        added_first_delta_p50_ms: added(streamed, (row) => row.first_delta_p50_ms),
        added_first_delta_p99_ms: added(streamed, (row) => row.first_delta_p99_ms),
      };
    });
}
