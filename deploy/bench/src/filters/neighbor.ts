import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltinSlug, FilterSet } from '@sluice/content-filter';
import { createScanner, type ScanJob } from '@sluice/content-scanner';
import { createWorkerPool } from '@sluice/worker-pool';
import { say } from '../program.ts';
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
 * Prints the latency of the scans of one account, alone and while another account with the worst guardrail that is
 * accepted has 50 requests at once, and the longest turn of the event loop.
 */
export async function measureNeighbor(): Promise<void> {
  const pool = createWorkerPool();
  const scanner = createScanner({ pool });
  const measure = async (job: ScanJob) => {
    const times: number[] = [];
    const turns = monitorEventLoopDelay({ resolution: 1 });
    turns.enable();
    const endMs = performance.now() + seconds * 1_000;
    while (performance.now() < endMs) {
      const beganMs = performance.now();
      await scanner.scan(job);
      times.push(performance.now() - beganMs);
      await delay(pauseMs);
    }
    turns.disable();
    return { ...timingsOf(times, seconds), turnMs: turns.max / 1e6 };
  };
  const row = (what: string, cells: readonly string[]) =>
    say(what.padEnd(40), ...cells.map((cell) => cell.padStart(12)));
  row('scans of an account', ['p50', 'p99', 'longest turn']);
  for (const [what, job] of Object.entries(neighbors)) {
    for (let count = 0; count < 50; count++) await scanner.scan(job);
    const idle = await measure(job);
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
    const beside = await measure(job);
    state.isOver = true;
    for (const [when, { p50Ms, p99Ms, turnMs }] of [
      ['alone', idle],
      ['beside 50 slow scans', beside],
    ] as const)
      row(`${what}, ${when}`, [
        `${p50Ms.toFixed(2)} ms`,
        `${p99Ms.toFixed(2)} ms`,
        `${turnMs.toFixed(1)} ms`,
      ]);
    say(`  the slow scans: ${JSON.stringify(outcomes)}`);
    void Promise.all(busy);
    await delay(3_000);
  }
  await pool.stop();
}
