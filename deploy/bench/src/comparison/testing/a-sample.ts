import type { SubjectName } from '../../subjects/subject.ts';
import { headlineCell } from '../plan.ts';
import type { Figures, Sample } from '../sample.ts';

/** One that is like any other, but for what is given. */
export function aSample(
  name: SubjectName,
  given: Partial<Figures> & Partial<Pick<Sample, 'cell' | 'round' | 'faults'>> = {},
): Sample {
  const { cell = headlineCell, round = 1, faults = {}, ...figures } = given;
  const usual: Figures = {
    rps: 1_000,
    p50_ms: 1,
    p99_ms: 2,
    first_delta_p50_ms: Number.NaN,
    first_delta_p99_ms: Number.NaN,
    cpu_us_per_request: 100,
    helper_threads_us_per_request: 20,
    garbage_kb_per_request: 100,
    others_cpu_us_per_request: 0,
    busy_share: 1,
    around_busy_share: 0.5,
    rss_mb: 100,
    others_rss_mb: 0,
    open_rps: 500,
    load_late_p99_ms: 0.2,
  };
  const counted = { latenciesCounted: 400, isAtRest: true, faults };
  return { name, cell, round, figures: { ...usual, ...figures }, ...counted };
}
