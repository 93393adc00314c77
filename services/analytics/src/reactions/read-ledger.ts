import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import type {
  CountedNames as NamesOfLedger,
  LedgerServiceService,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { Calls } from '@sluice/rpc';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import { type CountedFact, isInstant, readCounted } from '@sluice/usage-facts';
import {
  revisions,
  rowBeforeCorrection,
  rowOfCorrection,
  rowOfFact,
} from '../domain/count-fact.ts';
import { type AnalyticsStore, type RowChange, StaleCursor } from '../store/analytics-store.ts';
import { applyRows } from './apply-rows.ts';

/** The calls of analytics to the ledger. */
export type LedgerCalls = Pick<
  Calls<LedgerServiceService>,
  'readFacts' | 'listCountedNames' | 'listActivity'
>;

export interface ReadLedgerOptions {
  readonly ledger: LedgerCalls;
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'analyticsFacts'>;
  /** Told why the ledger cannot be read on; undefined: it can. */
  readonly onStanding: (reason: string | undefined) => void;
  /** Called when the ledger was restored and does not know the cursor. */
  readonly onRestored?: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 30_000;
const retryMs = 2_000;
const pageMax = 200;
const namesMax = 2_000;
/** The bus brings a fact within this time. */
const arrivalMs = 1_000;

/**
 * Reads what the ledger has counted, from where the store is, again and again. It brings what the bus no longer had: of
 * the time before analytics, of an outage longer than the bus keeps messages, and of facts that come very late. All
 * else is known already and changes nothing.
 */
export async function readLedger(options: ReadLedgerOptions): Promise<void> {
  const { logger, signal, onStanding, onRestored, intervalMs = intervalMsDefault } = options;
  while (!signal.aborted) {
    let pauseMs = intervalMs;
    try {
      await readToEnd(options);
      onStanding(undefined);
    } catch (error) {
      pauseMs = retryMs;
      if (error instanceof Fault && error.code === 'not_found') {
        const what = onRestored ? 'is being rebuilt' : 'has to be rebuilt';
        onStanding(`the ledger was restored: analytics ${what} from it`);
        await onRestored?.().catch(() => undefined);
      }
      logger.warn('the ledger cannot be read now', { error });
    }
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function readToEnd(options: ReadLedgerOptions): Promise<void> {
  const { ledger, store, clock, signal } = options;
  let after = await store.ledgerCursor();
  try {
    while (!signal.aborted) {
      const { names, next, isLast } = await ledger.listCountedNames({ after, limit: namesMax });
      // A page of archived facts has no names.
      if ((names.length > 0 || !isLast) && (await areKnown(options, names, isLast)))
        await store.apply([], { kind: 'ledger', after, next });
      else if (names.length > 0) await readPages(options, after, countOf(names));
      after = await store.ledgerCursor();
      if (isLast) break;
    }
  } catch (error) {
    // Another replica reads, too: it has moved the cursor.
    if (error instanceof StaleCursor) return;
    throw error;
  }
  if (!signal.aborted) await store.ledgerIsRead(clock.now());
}

/** The newest facts may still be on their way from the bus: these are looked for once more. */
async function areKnown(
  { store, signal, intervalMs = intervalMsDefault }: ReadLedgerOptions,
  names: readonly NamesOfLedger[],
  isLast: boolean,
): Promise<boolean> {
  const wanted = names
    .filter(({ isOperatorsOwn }) => !isOperatorsOwn)
    .map(({ usageIds, kind, day, countedAt }) => ({
      factIds: usageIds,
      day,
      revision: revisionOf(kind),
      countedAtMs: isInstant(countedAt) ? Date.parse(countedAt) : undefined,
    }));
  if (await store.hasFacts(wanted)) return true;
  if (!isLast) return false;
  await delay(Math.min(arrivalMs, intervalMs), undefined, { signal }).catch(() => undefined);
  return await store.hasFacts(wanted);
}

/** Reads so many entries with their facts, and counts those that are not known yet. */
async function readPages(
  { ledger, store, signal, metrics }: ReadLedgerOptions,
  from: string,
  count: number,
): Promise<void> {
  let after = from;
  for (let left = count; left > 0 && !signal.aborted;) {
    const limit = Math.min(pageMax, left);
    const { facts, next } = await ledger.readFacts({ after, limit });
    const source = { kind: 'ledger', after, next } as const;
    const changes = facts.map(readCounted).flatMap(changesOf);
    const { counted, refused } = await applyRows(store, changes, source);
    metrics.analyticsFacts.add(counted, { outcome: 'from_ledger' });
    metrics.analyticsFacts.add(refused, { outcome: 'unreadable' });
    after = next;
    left -= Math.max(1, facts.length);
  }
}

function countOf(names: readonly NamesOfLedger[]): number {
  return names.reduce((sum, { usageIds }) => sum + usageIds.length, 0);
}

function revisionOf(kind: string): number {
  if (kind === 'recorded') return revisions.recorded;
  return kind === 'expired' ? revisions.expired : revisions.corrected;
}

/** Returns the change that an entry makes. None: the operator pays for it. */
export function changesOf(entry: CountedFact): readonly RowChange[] {
  if (entry.kind === 'recorded') {
    const { fact, countedAt } = entry;
    const countedAtMs = Date.parse(isInstant(countedAt) ? countedAt : fact.completedAt);
    const after = rowOfFact(fact, countedAtMs);
    return after ? [{ before: undefined, after }] : [];
  }
  const after = rowOfCorrection(entry.correction);
  return after ? [{ before: rowBeforeCorrection(entry.correction), after }] : [];
}
