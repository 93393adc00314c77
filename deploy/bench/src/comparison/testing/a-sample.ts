import type { SubjectName } from '../../subjects/subject.ts';
import { headlineCell } from '../plan.ts';
import type { Sample } from '../sample.ts';

/** One that is like any other, but for what is given. */
export function aSample(name: SubjectName, given: Partial<Sample> = {}): Sample {
  return {
    name,
    cell: headlineCell,
    round: 1,
    requestsPerSecond: 1_000,
    openRequestsPerSecond: 500,
    latenciesCounted: 400,
    loadLateP99Ms: 0.2,
    p50Ms: 1,
    p99Ms: 2,
    firstDeltaP50Ms: Number.NaN,
    firstDeltaP99Ms: Number.NaN,
    cpuUsPerRequest: 100,
    othersCpuUsPerRequest: 0,
    busyShare: 1,
    aroundBusyShare: 0.5,
    residentBytes: 100 * 1_048_576,
    othersResidentBytes: 0,
    isAtRest: true,
    faults: {},
    ...given,
  };
}
