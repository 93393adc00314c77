import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@sluice/es';
import { compareRows } from './compare-rows.ts';
import { foldReadModels, type ReadModel, readModels, type Rows } from './fold.ts';
import type { StoredReadModels } from './stored-read-models.ts';

const ledgerTimeoutMs = 240_000;
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
  for (const name of Object.keys(readModels) as ReadModel[]) {
    findings.push(...(await auditOne(stored, name, folded[name])));
    rows += folded[name].size;
  }
  return { rows, findings };
}

/** The ledger receives events over the bus and has no checkpoint in the log, so the audit waits for it. */
async function auditOne(
  stored: StoredReadModels,
  name: ReadModel,
  folded: Rows,
): Promise<readonly string[]> {
  const deadlineMs = performance.now() + (name.startsWith('ledger.') ? ledgerTimeoutMs : 0);
  for (;;) {
    const findings = compareRows(name, folded, await stored.rows(name));
    if (findings.length === 0 || performance.now() > deadlineMs) return findings;
    await delay(pollMs);
  }
}
