import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltinSlug, FilterSet } from '@sluice/content-filter';
import { createScanner, type ScanJob } from '@sluice/content-scanner';
import { createWorkerPool } from '@sluice/worker-pool';
import { type Measure, measured } from '../measure.ts';
import { timingsOf } from '../timings.ts';

const seconds = 12;
const pauseMs = 20;
const busyRequests = 50;

const patternSlugs: readonly BuiltinSlug[] = ['email', 'phone', 'ssn', 'credit-card', 'secrets'];
const prose = 'The committee met in the morning to discuss how the new system should work. ';

function jobOf(account: string, set: FilterSet, text: string): ScanJob {
  const groups = [{ texts: [text], form: 'text' as const, scansInjection: true }];
  return { account, revision: JSON.stringify(set), set, groups, entitiesMs: 500 };
}

const builtin: FilterSet = {
  builtin: patternSlugs.map((slug) => ({ slug, action: 'flag' })),
  custom: [],
};
const custom: FilterSet = {
  builtin: [],
  custom: [{ pattern: String.raw`\bPROJECT-[A-Z]{2,8}\d+\b`, action: 'flag', label: null }],
};
/** A guardrail that uses its whole budget of instructions, without a literal that could skip the scan. */
const worst: FilterSet = {
  builtin: [],
  custom: Array.from({ length: 50 }, (_, index) => ({
    pattern: String.raw`[a-z]{1,${440 + index}}\d`,
    action: 'flag' as const,
    label: null,
  })),
};
const neighbors: Readonly<Record<string, ScanJob>> = {
  'built-in filters, 2 KB': jobOf('b', builtin, prose.repeat(27)),
  'a custom pattern, 2 KB': jobOf('b', custom, prose.repeat(27)),
  'built-in filters, 60 KB': jobOf('b', builtin, prose.repeat(800)),
};

/**
 * Measures the latency of the scans of one account, alone and while another account with the worst guardrail that is
 * accepted has 50 requests at once, and the longest tick of the event loop.
 */
export async function neighborBench(): Promise<readonly Measure[]> {
  const pool = createWorkerPool();
  const scanner = createScanner({ pool });
  const measures: Measure[] = [];
  const measure = async (what: string, job: ScanJob, outcomes: object = {}) => {
    const times: number[] = [];
    const ticks = monitorEventLoopDelay({ resolution: 1 });
    ticks.enable();
    const endMs = performance.now() + seconds * 1_000;
    while (performance.now() < endMs) {
      const beganMs = performance.now();
      await scanner.scan(job);
      times.push(performance.now() - beganMs);
      await delay(pauseMs);
    }
    ticks.disable();
    const { p50Ms, p99Ms } = timingsOf(times, seconds);
    const longest = `longest tick ${(ticks.max / 1e6).toFixed(1)} ms`;
    const others = Object.entries(outcomes).map(([name, count]) => `${count} slow scans ${name}`);
    const note = [`p50 ${p50Ms.toFixed(2)} ms`, longest, ...others].join(', ');
    measures.push(measured(`${what}, p99`, p99Ms, 'ms', { note }));
  };
  for (const [what, job] of Object.entries(neighbors)) {
    for (let count = 0; count < 50; count++) await scanner.scan(job);
    await measure(`${what}, alone`, job);
    const state = { isOver: false };
    const outcomes: Record<string, number> = {};
    const busy = Array.from({ length: busyRequests }, async (_, index) => {
      const slow = jobOf('a', worst, 'a'.repeat(31_000 + index));
      while (!state.isOver) {
        const outcome = await scanner.scan(slow).catch(() => 'busy');
        const name = typeof outcome === 'string' ? outcome : 'scanned';
        outcomes[name] = (outcomes[name] ?? 0) + 1;
        if (name === 'busy') await delay(100);
      }
    });
    await measure(`${what}, beside 50 slow scans`, job, outcomes);
    state.isOver = true;
    void Promise.all(busy);
    await delay(3_000);
  }
  await pool.stop();
  return measures;
}
