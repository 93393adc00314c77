import type { Bus } from '@sluice/bus';
import { subjects, usageStream } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import type {
  CorrectUsageRequest,
  ListModelSharesResponse,
  ReportAdmissionsRequest,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import { UsageRecorded, UsageRecordedBundle } from '@sluice/protos/sluice/usage/v1/usage_events';
import { withRepeats } from '@sluice/usage-facts';
import { windowOf } from '@sluice/spend';
import { type AskedBudget, InMemoryAuthority } from '@sluice/spend/testing';
import type { LedgerCalls } from '../clients/ledger-calls.ts';
import type { FailedGeneration } from '../usage/reports/failure-reports.ts';

/** A ledger without a database: counts each fact once and grants leases by what it counted. */
export interface InMemoryLedger extends LedgerCalls {
  readonly facts: readonly UsageRecorded[];
  /** Credits that each account has. */
  readonly creditsNanoUsd: bigint;
  /** Changes the credits as a purchase or a refund does, and notifies the replicas. */
  setCredits(amountNanoUsd: bigint): void;
  /** The quota of requests to free models. */
  readonly freeRequests: { perMinute: bigint; perDay: bigint };
  /** Adds a fact as if an earlier request had cost it. */
  settle(fact: SettledFact): void;
  /** Returns the credits that are out on leases of an account. */
  leasedNanoUsd(accountId: string): bigint;
  /** false: as if it was gone. */
  isUp: boolean;
  readonly timesAsked: number;
  /** The use of models as the ledger counts it. */
  modelShares: ListModelSharesResponse;
  /** The corrections by usage id, each once. */
  readonly corrections: Map<string, CorrectUsageRequest>;
  /** The failed generations in the order of arrival. */
  readonly failures: FailedGeneration[];
  /** The reports that follow on the one before. */
  readonly reports: ReportAdmissionsRequest[];
  consume(
    bus: Pick<Bus, 'consume' | 'ensureStream' | 'publish'>,
    signal: AbortSignal,
  ): Promise<void>;
}

/** A settled fact: the spender and the amounts. */
export interface SettledFact extends Partial<
  Pick<UsageRecorded, 'accountId' | 'workspaceId' | 'keyHash' | 'guardrailScopes' | 'isByok'>
> {
  readonly costNanoUsd: bigint;
}

const dayMs = 86_400_000;

export function inMemoryLedger(initialNanoUsd: bigint): InMemoryLedger {
  const facts = new Map<string, UsageRecorded>();
  let credits = initialNanoUsd;
  let timesAsked = 0;
  let tell = () => {};
  const used = (wanted: (fact: UsageRecorded) => boolean) =>
    [...facts.values()]
      .filter((fact) => wanted(fact))
      .reduce((sum, fact) => sum + (fact.isByok ? fact.feeNanoUsd : takenBy(fact)), 0n);
  const requests = ({ accountId, windowKind, windowStart }: AskedBudget) => {
    const digits = windowKind === 'minute' ? '2026-11-18T20:15'.length : '2026-11-18'.length;
    const isIn = (fact: UsageRecorded) =>
      fact.accountId === accountId &&
      fact.freeRequestLeaseNumbers.length > 0 &&
      fact.admittedAt.slice(0, digits) === windowStart.slice(0, digits);
    return BigInt([...facts.values()].filter(isIn).length);
  };
  const isOf = (
    fact: UsageRecorded,
    { scopeKind, scopeId, windowKind, windowStart }: AskedBudget,
  ) => {
    if (scopeKind === 'account') return fact.accountId === scopeId;
    if (scopeKind === 'allowance') return false;
    const isInScope =
      scopeKind === 'guardrail'
        ? fact.guardrailScopes.includes(scopeId)
        : scopeId === (scopeKind === 'key' ? fact.keyHash : fact.workspaceId);
    const interval = windowKind === 'lifetime' ? null : (windowKind as 'daily');
    const { firstDay, endDay } = windowOf(interval, new Date(windowStart));
    const day = Math.floor(Date.parse(fact.admittedAt) / dayMs);
    return isInScope && day >= firstDay && day < endDay;
  };
  const authority = new InMemoryAuthority({
    limitNanoUsd: ({ scopeKind, windowKind }) => {
      if (scopeKind === 'free_requests')
        return windowKind === 'minute' ? ledger.freeRequests.perMinute : ledger.freeRequests.perDay;
      return scopeKind === 'account' ? credits : undefined;
    },
    settledNanoUsd: (budget) => {
      if (budget.scopeKind === 'free_requests') return requests(budget);
      return budget.scopeKind === 'allowance'
        ? [...facts.values()].reduce((sum, { freeNanoUsd }) => sum + freeNanoUsd, 0n)
        : used((fact) => isOf(fact, budget));
    },
  });
  const ledger: InMemoryLedger = {
    get creditsNanoUsd() {
      return credits;
    },
    setCredits(amountNanoUsd) {
      credits = amountNanoUsd;
      tell();
    },
    freeRequests: { perMinute: 20n, perDay: 50n },
    settle({ costNanoUsd, ...fact }) {
      const usageId = `settled-${facts.size}`;
      const admittedAt = new Date().toISOString();
      const common = { usageId, accountId: 'account', workspaceId: 'workspace', admittedAt };
      const known = { ...common, ...fact, costNanoUsd: String(costNanoUsd) };
      facts.set(usageId, UsageRecorded.fromJSON(known));
    },
    leasedNanoUsd: (accountId) =>
      authority.leasedNanoUsd({
        accountId,
        scopeKind: 'account',
        scopeId: accountId,
        windowKind: 'lifetime',
        windowStart: new Date(0).toISOString(),
      }),
    isUp: true,
    get facts() {
      return [...facts.values()];
    },
    get timesAsked() {
      return timesAsked;
    },
    async acquireLeases({ replica, epoch, leases: asked }) {
      timesAsked += 1;
      if (!ledger.isUp) throw new Fault('unavailable');
      const requests = asked.map(({ budget, ...lease }) => {
        if (!budget) throw new Fault('invalid_request');
        return { ...lease, budget, limitNanoUsd: lease.limitNanoUsd };
      });
      const { leases, replicas } = authority.acquire(replica, epoch, requests);
      return {
        leases: leases.map((lease) => ({ ...lease, limitNanoUsd: lease.limitNanoUsd })),
        replicas,
      };
    },
    async closeEpochs({ replica, epoch }) {
      if (!ledger.isUp) throw new Fault('unavailable');
      authority.closeEpochs(replica, epoch);
      return { freedNanoUsd: 0n };
    },
    async getWatermark({ replica, epoch }) {
      if (!ledger.isUp) throw new Fault('unavailable');
      const sequences = new Set(
        [...facts.values()]
          .filter((fact) => fact.replica === replica && fact.epoch === epoch)
          .map((fact) => fact.sequence),
      );
      let sequence = 0n;
      while (sequences.has(sequence + 1n)) sequence += 1n;
      return { sequence };
    },
    corrections: new Map(),
    async listEstimates({ replica }) {
      if (!ledger.isUp) throw new Fault('unavailable');
      const open = [...facts.values()].filter(
        (fact) =>
          fact.replica === replica &&
          fact.estimateReason !== '' &&
          !ledger.corrections.has(fact.usageId),
      );
      return { estimates: open };
    },
    async correctUsage(correction) {
      if (!ledger.isUp) throw new Fault('unavailable');
      const isNew = !ledger.corrections.has(correction.usageId);
      if (isNew) ledger.corrections.set(correction.usageId, correction);
      return { isNew };
    },
    modelShares: { shares: [], onlyAccountId: '' },
    async listModelShares() {
      if (!ledger.isUp) throw new Fault('unavailable');
      return ledger.modelShares;
    },
    failures: [],
    async reportFailures({ failures: added }) {
      if (!ledger.isUp) throw new Fault('unavailable');
      ledger.failures.push(...added);
      return {};
    },
    reports: [],
    async reportAdmissions(report) {
      if (!ledger.isUp) throw new Fault('unavailable');
      const last = ledger.reports.at(-1)?.toSpoolSequence ?? 0n;
      if (report.toSpoolSequence === 0n || report.afterSpoolSequence !== last)
        return { spoolSequence: last };
      ledger.reports.push(report);
      return { spoolSequence: report.toSpoolSequence };
    },
    async consume(bus, signal) {
      const accountId = 'account';
      tell = () => bus.publish(subjects.limitsChanged(accountId), { accountId });
      await bus.ensureStream(usageStream);
      await bus.consume({
        stream: usageStream.name,
        durable: 'ledger',
        filter: 'usage.v1.>',
        batchMax: 100,
        signal,
        handle: async (messages) => {
          if (!ledger.isUp) throw new Fault('unavailable');
          const bundles = messages.map(({ data }) => UsageRecordedBundle.fromJSON(data));
          const all = bundles.flatMap((bundle) => bundle.facts.flatMap(withRepeats));
          for (const fact of all.map((each) => each as UsageRecorded)) {
            if (facts.has(fact.usageId)) continue;
            facts.set(fact.usageId, fact);
            const { feeLeaseNumbers, allowanceLeaseNumber, feeNanoUsd, freeNanoUsd } = fact;
            authority.count({ ...fact, costNanoUsd: takenBy(fact) + feeNanoUsd });
            authority.count({ ...fact, leaseNumbers: feeLeaseNumbers, costNanoUsd: feeNanoUsd });
            const leaseNumbers = [allowanceLeaseNumber];
            authority.count({ ...fact, leaseNumbers, costNanoUsd: freeNanoUsd });
            const requested = fact.freeRequestLeaseNumbers;
            authority.count({ ...fact, leaseNumbers: requested, costNanoUsd: 1n });
          }
        },
      });
    },
  };
  return ledger;
}

/** No limit has room for what is in suspense. */
function takenBy({ costNanoUsd, suspendedNanoUsd }: UsageRecorded): bigint {
  return costNanoUsd + suspendedNanoUsd;
}
