import { setTimeout as delay } from 'node:timers/promises';
import { gatewayOf } from '../crash/gateway.ts';
import { startWorkload, type Workload } from '../crash/workload.ts';
import type { PassingFault } from './faults.ts';
import { watchGaps } from './gaps.ts';
import { readOurLog } from './our-log.ts';
import type { RoundOutcome } from './outcome.ts';
import { isSilent, lookOutFor, type Said, saidText } from './said.ts';
import type { Stage } from './stage.ts';
import { auditShown } from './shown.ts';
import { tally } from './tally.ts';

const workers = 4;
const workingAgain = 20;
const workingTimeoutMs = 120_000;
const pollMs = 10;

/** Lets a fault pass while commands run, then compares the acknowledged commands, the log and the API. */
export async function passingRound(stage: Stage, fault: PassingFault): Promise<RoundOutcome> {
  const { instance, store, namePrefix, lookOutMs } = stage;
  const workload = await startAdministrators(stage);
  const key = await gatewayOf(instance).send({ type: 'IssueKey', name: `${namePrefix}untouched` });
  await untilAcknowledged(workload, workingAgain);
  const acknowledgedBefore = workload.acknowledged();
  const lookOut = fault.said && (await lookOutFor(fault.said, instance, { timeoutMs: lookOutMs }));
  const gaps = watchGaps(() => workload.acknowledged());
  const findings: string[] = [];
  try {
    await fault.happen({
      store,
      gaps,
      awayMs: stage.awayMs,
      keyHash: key.hash,
      untilAcknowledged: (count) => untilAcknowledged(workload, count),
    });
    await untilAcknowledged(workload, workingAgain);
  } catch (error) {
    findings.push((error as Error).message);
  }
  gaps.stop();
  await workload.stop();
  const said: Said | undefined = await lookOut?.result();
  const rename = { type: 'ChangeKey', hash: key.hash, name: `${namePrefix}touched` } as const;
  const renamed = { ...rename, limitNanoUsd: undefined, disabled: undefined };
  const after = await gatewayOf(instance).send(renamed);
  if (after.outcome !== 'acknowledged') findings.push(`a key cannot be changed: ${after.status}`);
  const log = await readOurLog(store.url);
  const { lost, twice } = tally(workload.sent, log);
  const hidden = await auditShown(stage, log);
  const silent = said !== undefined && isSilent(said) ? 1 : 0;
  if (silent > 0) findings.push('neither readiness nor a metric nor the log says it');
  return {
    fault: fault.name,
    acknowledged: workload.acknowledged() - acknowledgedBefore,
    lost: lost.length + hidden.length,
    twice: twice.length,
    silent,
    gapMs: gaps.longestMs(),
    said: said ? saidText(said) : '',
    isTheEnd: after.outcome !== 'acknowledged',
    findings: [
      ...findings,
      ...refusals(workload),
      ...lost.map((what) => `lost: ${what}`),
      ...twice.map((what) => `twice: ${what}`),
      ...hidden,
    ],
  };
}

export async function startAdministrators(stage: Stage): Promise<Workload> {
  const { instance, random, namePrefix } = stage;
  const gateway = gatewayOf(instance);
  return await startWorkload({ gateway, random: random.fork(), workers, namePrefix });
}

export async function untilAcknowledged(workload: Workload, count: number): Promise<void> {
  const enough = workload.acknowledged() + count;
  const deadlineMs = performance.now() + workingTimeoutMs;
  while (workload.acknowledged() < enough) {
    if (performance.now() > deadlineMs)
      throw new Error(`commands do not go on within ${workingTimeoutMs / 1_000} s`);
    await delay(pollMs);
  }
}

/** Checks that no command was refused. Only a change of a shared key may conflict. */
function refusals({ sent }: Workload): readonly string[] {
  return sent.flatMap(({ command, outcome, status }) => {
    const isSecond = command.type === 'ChangeKey' && status === '409';
    return outcome === 'refused' && !isSecond ? [`${command.type} was refused: ${status}`] : [];
  });
}
