import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import { type CountedFact, type FactsLedger, readCountedFacts } from '@sluice/usage-facts';
import { rowBeforeCorrection, rowOfCorrection, rowOfFact } from '../domain/count-fact.ts';
import { type AnalyticsStore, type RowChange, StaleCursor } from '../store/analytics-store.ts';
import { applyRows } from './apply-rows.ts';

export interface ReadLedgerOptions {
  readonly ledger: FactsLedger;
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'analyticsFacts'>;
  /** Told why the ledger cannot be read on; undefined: it can. */
  readonly onStanding: (reason: string | undefined) => void;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 30_000;
const retryMs = 2_000;
const pageMax = 200;

/**
 * Reads what the ledger has counted, from where the store is, again and again. It brings what the bus no longer had: of
 * the time before analytics, of an outage longer than the bus keeps messages, and of facts that come very late. All
 * else is known already and changes nothing.
 */
export async function readLedger(options: ReadLedgerOptions): Promise<void> {
  const { logger, signal, onStanding, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    let pauseMs = intervalMs;
    try {
      await readToEnd(options);
      onStanding(undefined);
    } catch (error) {
      pauseMs = retryMs;
      if (error instanceof Fault && error.code === 'not_found')
        onStanding('the ledger was restored: analytics has to be rebuilt from it');
      logger.warn('the ledger cannot be read now', { error });
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function readToEnd({
  ledger,
  store,
  clock,
  signal,
  metrics,
}: ReadLedgerOptions): Promise<void> {
  let after = await store.ledgerCursor();
  try {
    for await (const { facts, next } of readCountedFacts(ledger, { after, limit: pageMax })) {
      const source = { kind: 'ledger', after, next } as const;
      const { counted, refused } = await applyRows(store, facts.flatMap(changesOf), source);
      metrics.analyticsFacts.add(counted, { outcome: 'from_ledger' });
      metrics.analyticsFacts.add(refused, { outcome: 'unreadable' });
      after = next;
      if (signal.aborted) return;
    }
  } catch (error) {
    // Another replica reads, too: it has moved the cursor.
    if (error instanceof StaleCursor) return;
    throw error;
  }
  await store.ledgerIsRead(clock.now());
}

/** Returns the change that an entry makes. None: the operator pays for it. */
export function changesOf(entry: CountedFact): readonly RowChange[] {
  if (entry.kind === 'recorded') {
    const after = rowOfFact(entry.fact);
    return after ? [{ before: undefined, after }] : [];
  }
  const after = rowOfCorrection(entry.correction);
  return after ? [{ before: rowBeforeCorrection(entry.correction), after }] : [];
}
