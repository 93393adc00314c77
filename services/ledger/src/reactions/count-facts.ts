import {
  type Bus,
  type BusMessage,
  creditStream,
  limitStream,
  type StreamDefinition,
  subjectFilters,
  subjects,
  usageStream,
} from '@sluice/bus';
import type { Database } from '@sluice/read-model';
import type { Clock } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Metrics, Tracing } from '@sluice/telemetry';
import type { ReadBundle, UsageFact } from '@sluice/usage-facts';
import { type Decoded, decodeCredit, decodeLimits, decodeUsage } from '../messages/decode.ts';
import { evenParts } from './even-parts.ts';
import { type Settle, settleBatch } from './settle-batch.ts';
import { settleCredits } from './settle-credits.ts';
import { settleLimits } from './settle-limits.ts';
import { settleUsage } from './settle-usage.ts';
import { traceCounted } from './trace-counted.ts';

export interface CountDependencies {
  readonly bus: Bus;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'ledgerFacts'>;
  readonly tracing: Tracing;
  readonly clock: Clock;
  readonly readBundle: ReadBundle;
  /** Called after each batch of usage with the seconds from the end of its oldest generation to its count. */
  readonly onLag: (seconds: number) => void;
}

/**
 * One transaction holds at most this many facts. Its waits for PostgreSQL are the same for few and for many:
 * with 500 an overloaded process answered `unavailable` after half a minute, with 2,000 it did not.
 */
const transactionFactsMax = 2_000;
const batchMax = 500;
/** A message of usage has many facts, so fewer messages fill a transaction. */
const usageBatchMax = 125;
const usageBatchBytesMax = 2_097_152;
/** A transaction costs the same for one fact as for many: under load there are many within this time. */
const usageBatchEveryMs = 200;

interface Source<Fact> {
  readonly stream: StreamDefinition;
  readonly durable: string;
  readonly filter: string;
  readonly batchMax?: number;
  readonly batchBytesMax?: number;
  readonly batchEveryMs?: number;
  readonly decode: (message: BusMessage) => readonly Decoded<Fact>[];
  readonly settle: Settle<Fact>;
  /** Best effort, after the commit, for each account whose figures are others now. */
  readonly notify: (accountId: string) => void;
  /** Called after the commit of a batch whose transaction began at `startedAtMs`. */
  readonly onCounted?: (decoded: readonly Decoded<Fact>[], startedAtMs: number) => void;
}

/**
 * Counts usage, credits and limits until the signal aborts: a batch is committed, then the caches
 * of the account are invalidated by a notice, then it is acknowledged. A repeated batch is counted once.
 */
export async function countFacts(dependencies: CountDependencies, signal: AbortSignal) {
  const { bus, clock, onLag, readBundle, tracing } = dependencies;
  const spendChanged = (accountId: string) =>
    bus.publish(subjects.spendChanged(accountId), { accountId });
  const limitsChanged = (accountId: string) =>
    bus.publish(subjects.limitsChanged(accountId), { accountId });
  const usageLag = (decoded: readonly Decoded<UsageFact>[]) => {
    let oldestMs = clock.now().getTime();
    for (const one of decoded)
      if ('fact' in one) oldestMs = Math.min(oldestMs, Date.parse(one.fact.completedAt));
    onLag((clock.now().getTime() - oldestMs) / 1_000);
  };
  await Promise.all([
    consume(dependencies, signal, {
      stream: usageStream,
      durable: 'ledger-count-usage',
      filter: subjectFilters.usageRecorded,
      batchMax: usageBatchMax,
      batchBytesMax: usageBatchBytesMax,
      batchEveryMs: usageBatchEveryMs,
      decode: (message) => decodeUsage(message, readBundle),
      settle: settleUsage,
      notify: spendChanged,
      onCounted: (decoded, startedAtMs) => {
        usageLag(decoded);
        traceCounted(tracing, decoded, startedAtMs);
      },
    }),
    consume(dependencies, signal, {
      stream: creditStream,
      durable: 'ledger-count-credits',
      filter: subjectFilters.creditRecorded,
      decode: (message) => [decodeCredit(message)],
      settle: settleCredits,
      notify: (accountId) => {
        spendChanged(accountId);
        limitsChanged(accountId);
      },
    }),
    consume(dependencies, signal, {
      stream: limitStream,
      durable: 'ledger-set-limits',
      filter: subjectFilters.limitsSet,
      decode: (message) => [decodeLimits(message)],
      settle: settleLimits,
      notify: limitsChanged,
    }),
  ]);
}

async function consume<Fact>(
  { bus, database, logger, metrics, clock }: CountDependencies,
  signal: AbortSignal,
  { stream, decode, settle, notify, onCounted, ...source }: Source<Fact>,
): Promise<void> {
  await bus.consume({
    stream: stream.name,
    batchMax,
    ...source,
    signal,
    async handle(messages) {
      for (const decoded of evenParts(messages.flatMap(decode), transactionFactsMax)) {
        const startedAtMs = clock.now().getTime();
        const outcome = await settleBatch(database, decoded, settle);
        onCounted?.(decoded, startedAtMs);
        const { counted, duplicates, deadLetters, accountIds } = outcome;
        metrics.ledgerFacts.add(counted, { outcome: 'counted' });
        metrics.ledgerFacts.add(duplicates, { outcome: 'duplicate' });
        metrics.ledgerFacts.add(deadLetters, { outcome: 'dead_letter' });
        if (deadLetters > 0)
          logger.error('facts became dead letters', { stream: stream.name, count: deadLetters });
        for (const accountId of accountIds) notify(accountId);
      }
    },
  });
}
