import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gatewayOf } from '../crash/gateway.ts';
import type { LogFault } from './faults.ts';
import { readOurLog } from './our-log.ts';
import type { RoundOutcome } from './outcome.ts';
import { sluice } from './operator.ts';
import { startAdministrators, untilAcknowledged } from './passing-round.ts';
import { isSilent, lookOutFor, saidText } from './said.ts';
import { auditShown } from './shown.ts';
import type { Stage } from './stage.ts';
import { tally } from './tally.ts';

const acknowledgedFirst = 30;
const acknowledgedAfter = 20;
const pauseMs = 200;
/** Time to see that commands stay refused and requests stay answered after all reports. */
const afterwardsMs = 3_000;
/** More than the commands of a round write. */
const growthEvents = 5_000;
const diverged = /diverged/i;

/** Gives the store another log. Sluice must notice, acknowledge nothing, and go on once the log is accepted. */
export async function logRound(stage: Stage, fault: LogFault): Promise<RoundOutcome> {
  const { instance, store, lookOutMs, folder } = stage;
  const copy = join(folder, `${fault.log}-copy`);
  await store.exit();
  await store.copyData(copy);
  await store.start();
  const workload = await startAdministrators(stage);
  await untilAcknowledged(workload, acknowledgedFirst);
  await workload.stop();
  const lookOut = await lookOutFor(diverged, instance, { timeoutMs: lookOutMs });
  await store.kill();
  await store.replaceData(fault.log === 'emptied' ? undefined : copy);
  if (fault.log === 'outgrown') await store.grow(growthEvents);
  await store.start();
  const promised = startPromises(stage);
  const said = await lookOut.result();
  await delay(afterwardsMs);
  const { acknowledged, statuses } = await promised.stop();
  const findings = acknowledged.map((name) => `"${name}" was acknowledged on another log`);
  if (isSilent(said)) findings.push('nothing was said about another log');
  const silent = acknowledged.length + (isSilent(said) ? 1 : 0);
  const accepted =
    fault.log === 'emptied'
      ? undefined
      : await acceptedRound({ ...stage, namePrefix: `${stage.namePrefix}accepted ` });
  return {
    fault: fault.name,
    acknowledged: accepted?.acknowledged ?? 0,
    lost: accepted?.lost ?? 0,
    twice: accepted?.twice ?? 0,
    silent,
    gapMs: undefined,
    said: `${saidText(said)}; commands: ${statuses}`,
    findings: [...findings, ...(accepted?.findings ?? [])],
    isTheEnd: !accepted || accepted.acknowledged === 0,
  };
}

/** Sends commands while the log differs. Sluice must refuse them until the operator accepts the log. */
function startPromises({ instance, namePrefix }: Stage) {
  const gateway = gatewayOf(instance);
  const stopping = new AbortController();
  const acknowledged: string[] = [];
  const counts = new Map<string, number>();
  const running = (async () => {
    for (let number = 1; !stopping.signal.aborted; number++) {
      const name = `${namePrefix}promise ${number}`;
      // The copy lacks events of keys alone: it must be another log for the workspaces as well.
      const { outcome, status } = await gateway.send(
        number % 2 === 0
          ? { type: 'MakeWorkspace', name, slug: `promise-${randomUUID()}` }
          : { type: 'IssueKey', name },
      );
      if (outcome === 'acknowledged') acknowledged.push(name);
      const said = status === '' ? 'no answer' : status;
      counts.set(said, (counts.get(said) ?? 0) + 1);
      await delay(pauseMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
      const statuses = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
      return { acknowledged, statuses };
    },
  };
}

/** Accepts the log as the operator does. Then commands must work, and the API must show their results. */
async function acceptedRound(stage: Stage) {
  const { instance, store } = stage;
  const ran = await sluice(instance, ['eventstore', 'accept', '--yes'], {});
  if (ran.code !== 0) {
    const said = ran.output.split('\n').slice(0, 3).join(' ');
    return {
      acknowledged: 0,
      lost: 0,
      twice: 0,
      findings: [`accept ended with ${ran.code}: ${said}`],
    };
  }
  const workload = await startAdministrators(stage);
  const findings: string[] = [];
  await untilAcknowledged(workload, acknowledgedAfter).catch((error: Error) =>
    findings.push(error.message),
  );
  await workload.stop();
  const log = await readOurLog(store.url);
  const { lost, twice } = tally(workload.sent, log);
  const hidden = await auditShown(stage, log);
  findings.push(...lost.map((what) => `lost: ${what}`), ...twice, ...hidden);
  const acknowledged = workload.acknowledged();
  return { acknowledged, lost: lost.length + hidden.length, twice: twice.length, findings };
}
