import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { sluice } from '@sluice/acceptance/sluice';
import type { Random } from '@sluice/testing/random';
import { auditCommands } from '../../audit/log/audit-commands.ts';
import { readLogAt } from '../../audit/log/read-log.ts';
import { isSilent, lookOutFor, saidText } from '../../audit/said.ts';
import { auditShown } from '../../audit/shown.ts';
import type { Sent } from '../../load/commands/command.ts';
import { sendOverHttp } from '../../load/commands/over-http.ts';
import { sendUntilKnown, startWorkload, type Workload } from '../../load/commands/workload.ts';
import { foreignType, type Store } from '../../parts/event-store/store.ts';
import { watching } from '@sluice/testing/watching';
import { untilMore } from '../../waiting.ts';
import type { LogFault, PassingFault } from './faults.ts';
import { watchGaps } from './gaps.ts';

/** Holds the parts that every round uses. */
export interface Stage {
  readonly instance: Instance;
  readonly store: Store;
  readonly random: Random;
  /** Distinguishes the names of this round from those of others. */
  readonly namePrefix: string;
  /** Milliseconds of an outage. */
  readonly awayMs: number;
  /** Milliseconds within which Sluice must report a fault. */
  readonly lookOutMs: number;
  /** A folder for copies of the data. */
  readonly folder: string;
  /** Resolves after each kind of request that came from now on was answered. */
  readonly untilAnswered: () => Promise<void>;
}

/** The result of a round. */
export interface Outcome {
  readonly fault: string;
  /** Commands that were acknowledged while the fault was at work, or after the store was accepted. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly twice: number;
  readonly silent: number;
  /** Absent if the log was replaced: the operator decides when commands resume. */
  readonly gapMs?: number;
  /** The place where Sluice reported the fault; empty if there is nothing to report. */
  readonly said: string;
  readonly findings: readonly string[];
  /** True if commands no longer work. Further faults would show nothing. */
  readonly isTheEnd: boolean;
}

const workers = 4;
const workingAgain = 20;
const acknowledgedFirst = 30;
const pauseMs = 200;
/** Time to see that commands stay refused and requests stay answered after all reports. */
const afterwardsMs = 3_000;
/** More than the commands of a round write. */
const growthEvents = 5_000;
const diverged = /diverged/i;

/** Lets a fault pass while commands run, then compares the acknowledged commands, the log and the API. */
export async function passingRound(stage: Stage, fault: PassingFault): Promise<Outcome> {
  const { instance, store, namePrefix, awayMs, lookOutMs, untilAnswered } = stage;
  const workload = await startAdministrators(stage);
  const name = `${namePrefix}untouched`;
  const untouched = await sendUntilKnown(instance, { type: 'IssueKey', name });
  const { hash: keyHash } = untouched;
  if (untouched.outcome !== 'acknowledged') throw new Error(`no key was made: ${untouched.reason}`);
  const untilAcknowledged = (count: number) => untilMore(workload.acknowledged, count, 'commands');
  await untilAcknowledged(workingAgain);
  const before = workload.acknowledged();
  const lookOut = fault.said && (await lookOutFor(fault.said, instance, lookOutMs));
  const findings: string[] = [];
  await using gaps = watchGaps(workload.acknowledged);
  try {
    await fault.happen({ store, gaps, awayMs, keyHash, untilAcknowledged, untilAnswered });
    await untilAcknowledged(workingAgain);
  } catch (error) {
    findings.push((error as Error).message);
  }
  const gapMs = gaps.longestMs();
  await workload.stop();
  const said = await lookOut?.();
  const touched = { type: 'ChangeKey', hash: keyHash, name: `${namePrefix}touched` } as const;
  // A change that is not shown in time is a 503, and may be sent again (docs/operations).
  const after = await sendUntilKnown(instance, touched);
  const isTheEnd = after.outcome !== 'acknowledged';
  if (isTheEnd) findings.push(`a key cannot be changed: ${after.reason}`);
  const audited = await auditRound(stage, workload.sent);
  const silent = said && isSilent(said) ? 1 : 0;
  if (silent > 0) findings.push('neither readiness nor a metric nor the log says it');
  return {
    fault: fault.name,
    acknowledged: workload.acknowledged() - before,
    ...audited,
    silent,
    gapMs,
    said: said ? saidText(said) : '',
    isTheEnd,
    findings: [...findings, ...audited.findings],
  };
}

/** Gives the store another log. Sluice must notice, acknowledge nothing, and go on once the log is accepted. */
export async function logRound(stage: Stage, fault: LogFault): Promise<Outcome> {
  const { instance, store, lookOutMs, folder, namePrefix } = stage;
  const copy = join(folder, `${fault.log}-copy`);
  await store.exit();
  await store.copyData(copy);
  await store.start();
  const workload = await startAdministrators(stage);
  await untilMore(workload.acknowledged, acknowledgedFirst, 'commands');
  await workload.stop();
  const lookOut = await lookOutFor(diverged, instance, lookOutMs);
  await store.kill();
  await store.replaceData(fault.log === 'emptied' ? undefined : copy);
  if (fault.log === 'outgrown') await store.grow(growthEvents);
  await store.start();
  const promised = startPromises(stage);
  const said = await lookOut();
  await delay(afterwardsMs);
  const { acknowledged, statuses } = await promised();
  const findings = acknowledged.map((name) => `"${name}" was acknowledged on another log`);
  if (isSilent(said)) findings.push('nothing was said about another log');
  // After an emptied store there is no account left to work in.
  const isEmptied = fault.log === 'emptied';
  const accepting = { ...stage, namePrefix: `${namePrefix}accepted ` };
  const accepted = isEmptied ? nothing : await acceptedRound(accepting);
  return {
    fault: fault.name,
    ...accepted,
    silent: acknowledged.length + (isSilent(said) ? 1 : 0),
    said: `${saidText(said)}; commands: ${statuses}`,
    findings: [...findings, ...accepted.findings],
    isTheEnd: accepted.acknowledged === 0,
  };
}

const nothing = { acknowledged: 0, lost: 0, twice: 0, findings: [] as readonly string[] };

/** Sends commands while the log differs: Sluice must refuse them. The returned function stops and counts them. */
function startPromises({ instance, namePrefix }: Stage) {
  const acknowledged: string[] = [];
  const counts = new Map<string, number>();
  let number = 0;
  const sending = watching(pauseMs, async () => {
    const name = `${namePrefix}promise ${++number}`;
    // The copy lacks events of keys alone: it must be another log for the workspaces as well.
    const { outcome, status } = await sendOverHttp(
      instance,
      number % 2 === 0
        ? { type: 'MakeWorkspace', name, slug: `promise-${randomUUID()}` }
        : { type: 'IssueKey', name },
    );
    if (outcome === 'acknowledged') acknowledged.push(name);
    const said = status || 'no answer';
    counts.set(said, (counts.get(said) ?? 0) + 1);
  });
  return async () => {
    await sending[Symbol.asyncDispose]();
    const statuses = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
    return { acknowledged, statuses };
  };
}

/** Accepts the log as the operator does. Then commands must work, and the API must show their results. */
async function acceptedRound(stage: Stage): Promise<typeof nothing> {
  const ran = await sluice(stage.instance, ['eventstore', 'accept', '--yes']);
  if (ran.code !== 0) {
    const said = `${ran.out}${ran.error}`.trim().split('\n').slice(0, 3).join(' ');
    return { ...nothing, findings: [`accept ended with ${ran.code}: ${said}`] };
  }
  const workload = await startAdministrators(stage);
  const findings: string[] = [];
  await untilMore(workload.acknowledged, workingAgain, 'commands').catch((error: Error) =>
    findings.push(error.message),
  );
  await workload.stop();
  const audited = await auditRound(stage, workload.sent);
  const acknowledged = workload.acknowledged();
  return { ...audited, acknowledged, findings: [...findings, ...audited.findings] };
}

async function startAdministrators({ instance, random, namePrefix }: Stage): Promise<Workload> {
  return await startWorkload({ instance, random: random.fork(), workers, namePrefix });
}

/** Compares the commands of a round with the log, and the log with the API. */
async function auditRound({ instance, store, namePrefix }: Stage, sent: readonly Sent[]) {
  const all = await readLogAt(store.url);
  const log = all.filter(({ type }) => !type.startsWith(foreignType));
  const found = auditCommands(sent, log);
  const hidden = await auditShown(instance, namePrefix, log);
  const countOf = (wanted: string) => found.filter(({ kind }) => kind === wanted).length;
  const sentences = found.map(({ kind, sentence }) => `${kind}: ${sentence}`);
  return {
    lost: countOf('lost') + hidden.length,
    twice: countOf('twice'),
    findings: [...sentences, ...hidden],
  };
}
