import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@sluice/es';
import { compareRows } from './compare-rows.ts';
import { foldReadModels, readModels } from './fold.ts';
import type { StoredReadModels } from './stored-read-models.ts';

const creditsTimeoutMs = 60_000;
const pollMs = 100;

/** Holds every read model against the fold of the log, once all projections are at its end. */
export async function auditReadModels(
  stored: StoredReadModels,
  log: readonly RecordedEvent[],
): Promise<{ readonly rows: number; readonly findings: readonly string[] }> {
  const folded = foldReadModels(log);
  await stored.caughtUp(log);
  const findings: string[] = [];
  let rows = 0;
  for (const name of readModels) {
    findings.push(...compareRows(name, folded[name], await stored.rows(name)));
    rows += folded[name].size;
  }
  findings.push(...(await auditCredits(stored, folded['ledger.credits'])));
  return { rows: rows + folded['ledger.credits'].size, findings };
}

/** The ledger hears of credits over the bus and has no checkpoint in the log: it is waited for. */
async function auditCredits(
  stored: StoredReadModels,
  folded: ReturnType<typeof foldReadModels>['ledger.credits'],
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + creditsTimeoutMs;
  for (;;) {
    const findings = compareRows('ledger.credits', folded, await stored.rows('ledger.credits'));
    if (findings.length === 0 || performance.now() > deadlineMs) return findings;
    await delay(pollMs);
  }
}
