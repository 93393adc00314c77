import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@sluice/read-model';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { type LedgerState, readLedgerState } from '../queries/read-ledger-state.ts';

export interface WatchOptions {
  readonly database: Database;
  readonly telemetry: Pick<Telemetry, 'observe'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly intervalMs?: number;
}

const intervalMsDefault = 5_000;
const nanoPerUsd = 1e9;
const nothing: LedgerState = {
  deadLetters: 0n,
  estimates: 0n,
  suspended: 0n,
  suspendedNanoUsd: 0n,
  suspenseAgeSeconds: 0,
};

/** Reads the suspense and the dead letters every few seconds, for the gauges. */
export async function watchLedger(options: WatchOptions): Promise<void> {
  const { database, telemetry, logger, signal, intervalMs = intervalMsDefault } = options;
  let state = nothing;
  telemetry.observe('ledger.dead.letters', () => Number(state.deadLetters));
  telemetry.observe('ledger.estimates', () => Number(state.estimates));
  telemetry.observe('ledger.suspense', () => Number(state.suspended));
  telemetry.observe('ledger.suspense.usd', () => Number(state.suspendedNanoUsd) / nanoPerUsd);
  telemetry.observe('ledger.suspense.age.seconds', () => state.suspenseAgeSeconds);
  while (!signal.aborted) {
    try {
      state = await readLedgerState(database);
    } catch (error) {
      logger.warn('what is in suspense cannot be told now', { error });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => {});
  }
}
