import { parentPort } from 'node:worker_threads';
import { compileFilters, type CompiledFilters } from '@sluice/content-filter';
import { scanGroup } from './scan-group.ts';
import type { ScanJob } from './scanner.ts';

/** Scans the groups of each job. Answers null for a job that it cannot do. */
const compiledMax = 50;
const compiled = new Map<string, CompiledFilters>();

parentPort?.on('message', (job: ScanJob) => {
  verdictsOf(job).then(
    (verdicts) => parentPort?.postMessage(verdicts, []),
    () => parentPort?.postMessage(null, []),
  );
});

async function verdictsOf({ revision, set, groups, entitiesMs }: ScanJob) {
  let filters = compiled.get(revision);
  if (!filters) {
    filters = await compileFilters(set);
    if (compiled.size >= compiledMax) compiled.clear();
    compiled.set(revision, filters);
  }
  const lateMs = performance.now() + entitiesMs;
  const isLate = () => performance.now() > lateMs;
  const ready = filters;
  return groups.map(({ scansInjection, ...group }) =>
    scanGroup(group, ready, { scansInjection, isLate }),
  );
}
