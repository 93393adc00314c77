import type { Bus } from '@sluice/bus';
import { usageStream } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type { WindowUsage } from '@sluice/protos/sluice/ledger/v1/ledger';
import { UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { windowOf, type Interval } from '@sluice/spend';
import type { LedgerCalls } from '../spend/ledger.ts';

/** A ledger without a database: counts each fact once and answers from what it counted. */
export interface InMemoryLedger extends LedgerCalls {
  readonly facts: readonly UsageRecorded[];
  /** Credits that each account starts with. */
  creditsNanoUsd: bigint;
  /** false: as if it was gone. */
  isUp: boolean;
  readonly standingsAsked: number;
  consume(bus: Pick<Bus, 'consume' | 'ensureStream'>, signal: AbortSignal): Promise<void>;
}

const dayMs = 86_400_000;

export function inMemoryLedger(creditsNanoUsd: bigint): InMemoryLedger {
  const facts = new Map<string, UsageRecorded>();
  let standingsAsked = 0;
  const used = (wanted: (fact: UsageRecorded) => boolean) =>
    [...facts.values()].filter(wanted).reduce((sum, fact) => sum + fact.costNanoUsd, 0n);
  const watermark = (replica: string, epoch: bigint) => {
    const sequences = new Set(
      [...facts.values()]
        .filter((fact) => fact.replica === replica && fact.epoch === epoch)
        .map((fact) => fact.sequence),
    );
    let sequence = 0n;
    while (sequences.has(sequence + 1n)) sequence += 1n;
    return sequence;
  };
  const within = (keyHash: string, interval: Interval, at: Date) => {
    const { firstDay, endDay } = windowOf(interval, at);
    return used((fact) => {
      const day = Math.floor(Date.parse(fact.admittedAt) / dayMs);
      return fact.keyHash === keyHash && day >= firstDay && day < endDay;
    });
  };
  const ledger: InMemoryLedger = {
    creditsNanoUsd,
    isUp: true,
    get facts() {
      return [...facts.values()];
    },
    get standingsAsked() {
      return standingsAsked;
    },
    async getStanding({ accountId, keyHash, replica, epoch, at }) {
      standingsAsked += 1;
      if (!ledger.isUp) throw new Fault('unavailable');
      const instant = new Date(at);
      const credits: WindowUsage = {
        lifetimeNanoUsd: within(keyHash, null, instant),
        dailyNanoUsd: within(keyHash, 'daily', instant),
        weeklyNanoUsd: within(keyHash, 'weekly', instant),
        monthlyNanoUsd: within(keyHash, 'monthly', instant),
      };
      return {
        creditsNanoUsd: ledger.creditsNanoUsd,
        usageNanoUsd: used((fact) => fact.accountId === accountId),
        key: { keyHash, credits, byok: undefined },
        watermarkSequence: watermark(replica, epoch),
      };
    },
    async getWatermark({ replica, epoch }) {
      if (!ledger.isUp) throw new Fault('unavailable');
      return { sequence: watermark(replica, epoch) };
    },
    async consume(bus, signal) {
      await bus.ensureStream(usageStream);
      await bus.consume({
        stream: usageStream.name,
        durable: 'ledger',
        filter: 'usage.v1.>',
        batchMax: 100,
        signal,
        handle: async (messages) => {
          if (!ledger.isUp) throw new Fault('unavailable');
          for (const { data } of messages) {
            const fact = UsageRecorded.fromJSON(data);
            if (!facts.has(fact.usageId)) facts.set(fact.usageId, fact);
          }
        },
      });
    },
  };
  return ledger;
}
