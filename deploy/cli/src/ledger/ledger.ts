import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Reconciliation, reconcileReceipts } from '@sluice/ledger/reconciliation';
import { type ClosedReplica, closeReplica } from '@sluice/ledger/close-replica';
import { type WrittenOff, writeOffSuspense } from '@sluice/ledger/write-off';
import { systemClock } from '@sluice/clock-and-ids';
import { type Verification, verifyLedger } from '@sluice/ledger/verification';
import { count, counted } from '../amounts.ts';
import { formatUsd } from '../credits/usd.ts';
import type { Output } from '../output.ts';
import type { LedgerCommand } from './command.ts';
import { tellArchived } from './archive.ts';
import { parseReceipts, ReceiptsUnreadable } from './receipt-lines.ts';
import { tellRerated } from './rerate.ts';

interface LedgerInstallation {
  readonly postgresUrl: string;
  /** The settings of routing: the terms of own credentials. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
}

const dayMs = 86_400_000;

/** Returns the exit code: 1 when something differs. */
export async function ledger(
  command: LedgerCommand,
  { postgresUrl, env, output }: LedgerInstallation,
): Promise<number> {
  switch (command.name) {
    case 'verify': {
      const { day, archive } = command;
      return tellVerification(await verifyLedger({ postgresUrl, day, archive }), output);
    }
    case 'archive': {
      const before = new Date(systemClock.now().getTime() - command.olderThanDays * dayMs);
      return await tellArchived(command, { postgresUrl, before, output });
    }
    case 'reconcile': {
      const { receipts: path, provider, from, to, apply } = command;
      const receipts = parseReceipts(await chunksOf(path));
      const scope = { provider, from, to, ...(apply && { apply }) };
      return tellReconciliation(
        await reconcileReceipts({ postgresUrl, receipts, ...scope }),
        output,
      );
    }
    case 'rerate':
      return await tellRerated(command, { postgresUrl, env, output });
    case 'close-replica': {
      const { replica, isFreed, isConfirmed } = command;
      const closed = await closeReplica({ postgresUrl, replica, isFreed, isConfirmed });
      return tellClosed(closed, command, output);
    }
    case 'write-off': {
      const before = new Date(systemClock.now().getTime() - command.olderThanDays * dayMs);
      const { provider, isConfirmed } = command;
      const written = await writeOffSuspense({ postgresUrl, before, provider, isConfirmed });
      return tellWrittenOff(written, isConfirmed, output);
    }
  }
}

function tellClosed(
  closed: ClosedReplica,
  { replica, isFreed, isConfirmed }: Extract<LedgerCommand, { name: 'close-replica' }>,
  output: Output,
): number {
  if (closed.type !== 'closed') {
    output.problem(
      closed.type === 'unknown'
        ? `The ledger has never heard of ${JSON.stringify(replica)}.`
        : `${replica} was heard of at ${closed.heardAt.toISOString()}: it lives, or did a minute ago.`,
    );
    return 1;
  }
  const { leases, leasedNanoUsd, openAttempts } = closed;
  const becomes = isFreed ? 'free' : 'in suspense';
  output.line(
    `${isConfirmed ? 'Closed' : 'To be closed with --confirm'}: ${replica}; ` +
      `${formatUsd(leasedNanoUsd)} of ${counted(leases, 'lease')} ${isConfirmed ? 'is' : 'would be'} ` +
      `${becomes}; ${counted(openAttempts, 'attempt')} without an end.`,
  );
  return 0;
}

function tellWrittenOff(
  { estimates, suspendedNanoUsd, claimedNanoUsd }: WrittenOff,
  isConfirmed: boolean,
  output: Output,
): number {
  const what =
    `${counted(estimates, 'estimate')} with ${formatUsd(suspendedNanoUsd)} of holds and ` +
    `${formatUsd(claimedNanoUsd)} of claims in suspense`;
  output.line(isConfirmed ? `Written off: ${what}.` : `To be written off with --confirm: ${what}.`);
  return 0;
}

async function chunksOf(path: string): Promise<AsyncIterable<string>> {
  try {
    await (await open(path)).close();
  } catch (error) {
    throw new ReceiptsUnreadable(`The receipts cannot be read: ${(error as Error).message}.`);
  }
  return createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>;
}

function tellVerification(
  { facts, credits, results, differences }: Verification,
  output: Output,
): number {
  for (const { check, key, stored, expected } of differences) {
    output.line(`${check} ${key}`);
    output.line(`  stored    ${stored ?? 'no such row'}`);
    output.line(`  expected  ${expected ?? 'no such row'}`);
  }
  for (const { check, rows, differing } of results)
    output.line(`${check}: ${counted(rows, 'row')}, ${count(differing)} differing`);
  const from = `${counted(facts, 'usage fact')} and ${counted(credits, 'credit')}`;
  const differing = results.reduce((sum, result) => sum + result.differing, 0n);
  output.line(
    differing === 0n
      ? `The ledger is what its facts give (${from}).`
      : `The ledger differs from what its facts give in ${counted(differing, 'row')} (${from}).`,
  );
  return differing === 0n ? 0 : 1;
}

function tellReconciliation(result: Reconciliation, output: Output): number {
  const { receipts, matched, nothingServed, nothingBilled, counts, differences, applied } = result;
  for (const { kind, id, receipt, row } of differences) {
    output.line(`${kind} ${JSON.stringify(id)}`);
    output.line(`  receipt  ${receipt ?? 'none'}`);
    output.line(`  usage    ${row ?? 'none'}`);
  }
  if (applied) {
    const { corrected, unserved, chargedNanoUsd, releasedNanoUsd, absorbedNanoUsd } = applied;
    output.line(
      `Corrected by receipts: ${counted(corrected, 'estimate')}, and ${count(unserved)} that ` +
        `nothing was served of; ${formatUsd(chargedNanoUsd)} more are charged, ` +
        `${formatUsd(releasedNanoUsd)} left suspense, ${formatUsd(absorbedNanoUsd)} absorbed.`,
    );
  }
  for (const [kind, amount] of Object.entries(counts)) output.line(`${kind}: ${count(amount)}`);
  const differing = Object.values(counts).reduce((sum, amount) => sum + amount, 0n);
  output.line(
    `${counted(receipts, 'receipt')}: ${count(matched)} as counted, ` +
      `${counted(differing, 'difference')}; without another side ${count(nothingServed)} that served ` +
      `and ${count(nothingBilled)} that billed nothing.`,
  );
  return differing === 0n ? 0 : 1;
}
