import {
  type Bus,
  type BusMessage,
  failureStream,
  guardrailStream,
  nameStream,
  subjectFilters,
  usageStream,
} from '@sluice/bus';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Metrics } from '@sluice/telemetry';
import type { ReadBundle } from '@sluice/usage-facts';
import {
  readCorrected,
  readDetection,
  readFailure,
  readName,
  readRefusal,
  readUsage,
  type ReadMessage,
} from '../messages/read-changes.ts';
import type { AnalyticsStore } from '../store/analytics-store.ts';
import { applyRows } from './apply-rows.ts';

export interface ConsumeDependencies {
  readonly bus: Bus;
  readonly store: AnalyticsStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'analyticsFacts'>;
  readonly readBundle: ReadBundle;
  /** Told the seconds from a request to its count: the longest of a batch. */
  readonly onLag: (seconds: number) => void;
}

const batchMax = 125;
const batchBytesMax = 2_097_152;
/** A transaction costs the same for one fact as for many. An answer may be so much older. */
const batchEveryMs = 200;
const transactionRowsMax = 2_000;

/** The durable consumers, a row each. */
const sources: readonly {
  readonly stream: string;
  readonly durable: string;
  readonly filter: string;
  readonly read: (message: BusMessage, countedAtMs: number, readBundle: ReadBundle) => ReadMessage;
}[] = [
  {
    stream: usageStream.name,
    durable: 'analytics-usage',
    filter: subjectFilters.usageRecorded,
    read: readUsage,
  },
  {
    stream: usageStream.name,
    durable: 'analytics-corrections',
    filter: subjectFilters.usageCorrected,
    read: readCorrected,
  },
  {
    stream: failureStream.name,
    durable: 'analytics-failures',
    filter: subjectFilters.generationFailed,
    read: readFailure,
  },
  {
    stream: failureStream.name,
    durable: 'analytics-refusals',
    filter: subjectFilters.requestRefused,
    read: readRefusal,
  },
  {
    stream: guardrailStream.name,
    durable: 'analytics-detections',
    filter: subjectFilters.guardrailDetected,
    read: readDetection,
  },
];

/** Counts what the bus delivers until the signal aborts. A batch is acknowledged once it is committed. */
export async function consumeFacts(
  dependencies: ConsumeDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { bus, store, readBundle } = dependencies;
  await Promise.all([
    ...sources.map(async ({ read, ...source }) => {
      await bus.consume({
        ...source,
        batchMax,
        batchBytesMax,
        batchEveryMs,
        signal,
        async handle(messages) {
          const nowMs = dependencies.clock.now().getTime();
          const rows = messages.map((message) => read(message, nowMs, readBundle));
          await count(dependencies, rows);
        },
      });
    }),
    bus.consume({
      stream: nameStream.name,
      durable: 'analytics-names',
      filter: subjectFilters.entityNamed,
      batchMax,
      signal,
      async handle(messages) {
        await store.applyNames(messages.map(readName).filter((name) => name !== undefined));
      },
    }),
  ]);
}

async function count(
  { store, clock, logger, metrics, onLag }: ConsumeDependencies,
  read: readonly ReadMessage[],
): Promise<void> {
  const rows = read.flatMap((one) => one.rows);
  for (let from = 0; from < rows.length; from += transactionRowsMax) {
    const changes = rows
      .slice(from, from + transactionRowsMax)
      .map((after) => ({ before: undefined, after }));
    const { counted, repeated, late, refused } = await applyRows(store, changes, { kind: 'bus' });
    metrics.analyticsFacts.add(counted, { outcome: 'counted' });
    metrics.analyticsFacts.add(repeated, { outcome: 'duplicate' });
    metrics.analyticsFacts.add(late, { outcome: 'late' });
    metrics.analyticsFacts.add(refused, { outcome: 'unreadable' });
    if (refused > 0) logger.error('facts are refused by the database', { count: refused });
  }
  const unreadable = read.reduce((sum, one) => sum + one.unreadable, 0);
  metrics.analyticsFacts.add(unreadable, { outcome: 'unreadable' });
  if (unreadable > 0) logger.error('facts cannot be read', { count: unreadable });
  if (rows.length === 0) return;
  const oldestMs = rows.reduce((least, { atMs }) => Math.min(least, atMs), Infinity);
  onLag((clock.now().getTime() - oldestMs) / 1_000);
}
