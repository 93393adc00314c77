import { getHeapStatistics } from 'node:v8';
import { compileFilters, type CompiledFilters, TooManyFindings } from '@sluice/content-filter';
import { LRUCache } from 'lru-cache';
import { packVerdict, type PackedVerdict } from './pack-verdicts.ts';
import { scanGroup } from './scan-group.ts';
import type { ScanInput } from './scan-job.ts';

/** The answer of a thread. */
export interface ScanAnswer {
  /** Instructions of the custom patterns of the set. */
  readonly instructions: number;
  readonly verdicts: readonly PackedVerdict[];
}

/** Compiled sets that a thread keeps. */
const compiledMax = 50;
/** Instructions of the custom patterns of all sets that a thread keeps. */
const instructionsMax = 200_000;
/** Patterns keep what they learned of texts, up to 8 MB each. Above this, a thread begins anew with all. */
const heapBytesMax = 160 * 1_024 * 1_024;
/** Detections of one job. */
const detectionsMax = 100_000;

const compiled = new LRUCache<string, CompiledFilters>({
  max: compiledMax,
  maxSize: instructionsMax,
  sizeCalculation: ({ custom }) => 1 + custom.patterns.instructions,
});

/** Milliseconds that this thread had the processor: a search for entities is not cut because others were slow. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Scans the groups of a job. Throws if a filter fails or finds too much. */
export async function work(input: ScanInput): Promise<ScanAnswer> {
  const { revision, set, groups, entitiesMs } = input;
  const filters = compiled.get(revision) ?? (await compileFilters(set, { joins: true }));
  compiled.set(revision, filters);
  const lateMs = processorMs() + entitiesMs;
  const isLate = () => processorMs() > lateMs;
  let detections = 0;
  const verdicts = groups.map(({ scansInjection, ...group }) => {
    const verdict = scanGroup(group, filters, { scansInjection, isLate });
    detections += verdict.detections.length;
    if (detections > detectionsMax) throw new TooManyFindings();
    return packVerdict(verdict);
  });
  if (getHeapStatistics().used_heap_size > heapBytesMax) compiled.clear();
  return { instructions: filters.custom.patterns.instructions, verdicts };
}
