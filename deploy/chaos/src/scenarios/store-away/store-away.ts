import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@sluice/patience';
import { openLedger, watchCaps } from '../../audit/books/under-audit.ts';
import { reasonOf, send } from '../../load/http.ts';
import {
  emptyTally,
  type Probe,
  type Probing,
  startProbes,
  type Tally,
} from '../../load/probes.ts';
import { type Installation, withInstallation } from '../../parts/installation.ts';
import { type How, takeAway } from '../../parts/outage.ts';
import type { Given } from '../../perform.ts';
import {
  hows,
  isPostgres,
  judge,
  type Outcome,
  type StoreAwayHow,
  type Tallies,
  undecidedMs,
} from './judge.ts';
import { type Probes, storeAwayScene } from './scene.ts';

/** Requests of each kind before the outage, and the least during it. The scene has asked each question once. */
const timesBefore = 1;
/** A key is in use once its lease knows its pace: more than ten seconds of requests. */
const timesInUse = 30;
const openMax = 200;
const questionsPerSecond = 10;
const writesPerSecond = 1;

/**
 * Takes the event store or PostgreSQL away from an installation that serves inference and questions, right after a few
 * changes, and counts what fails meanwhile.
 */
export async function storeAway({ settings, say }: Given) {
  const [how = 'frozen'] = settings.names('HOW', hows);
  const awaySeconds = settings.wholeNumber('AWAY_SECONDS', 600);
  const requestsPerSecond = settings.wholeNumber('RPS', 30);
  return await withInstallation({ say }, async (installation) => {
    await using ledger = openLedger(installation);
    await using caps = watchCaps(ledger.books);
    const going = { installation, how, awaySeconds, requestsPerSecond, say };
    const seen = await goThrough(going);
    const { overspendNanoUsd, looks: capLooks } = caps.seen;
    const outcome: Outcome = { how, ...seen, overspendNanoUsd, capLooks };
    say(`a command was carried out after ${seen.recoveryMs} ms`);
    const findings = judge(outcome);
    const { inference, questions, firstWrites, writes, recoveryMs } = outcome;
    const numbers = {
      how,
      seconds: awaySeconds,
      inference: inference.sent,
      inference_failed: inference.failed,
      inference_slowest_ms: inference.slowestMs,
      questions: questions.sent,
      questions_failed: questions.failed,
      questions_slowest_ms: questions.slowestMs,
      commands: firstWrites.sent + writes.sent,
      commands_not_refused: firstWrites.failed + writes.failed,
      commands_first_slowest_ms: firstWrites.slowestMs,
      commands_slowest_ms: writes.slowestMs,
      recovery_ms: recoveryMs,
      overspend_nano: String(overspendNanoUsd),
      cap_looks: capLooks,
      findings: findings.length,
    };
    return { findings, numbers, outcome };
  });
}

interface Going {
  readonly installation: Installation;
  readonly how: StoreAwayHow;
  readonly awaySeconds: number;
  readonly requestsPerSecond: number;
  readonly say: (line: string) => void;
}

async function goThrough(
  going: Going,
): Promise<Pick<Outcome, keyof Tallies | 'before' | 'firstWrites' | 'recoveryMs'>> {
  const { installation, how, awaySeconds, say } = going;
  const store = isPostgres(how) ? 'postgres' : 'eventstore';
  const scene = await storeAwayScene(installation, store);
  // Each is remembered and in use when the store goes away.
  const asked = { inference: scene.inference, questions: scene.questions };
  const before = await underLoad(going, asked, (load) => load.untilEach(timesBefore));
  say(`before: ${textOf(before)}`);
  const inference = await scene.changeALittle();
  if (isPostgres(how)) {
    const inUse = await underLoad(going, { inference }, (load) => load.untilEach(timesInUse));
    say(`the keys are in use: ${textOf(inUse)}`);
  }
  let [firstWrites, writes] = [emptyTally(), emptyTally()];
  const during = scene.meanwhile({ ...asked, inference, writes: [] });
  const away = await underLoad(going, during, async (load) => {
    const back = await takeAway(installation, store, how.replace('postgres-', '') as How);
    say(`the ${store} is ${how} for ${awaySeconds} s`);
    const writing = { writes: scene.writes };
    firstWrites = (await underLoad(going, writing, () => delay(undecidedMs))).writes;
    writes = (
      await underLoad(going, writing, async (commands) => {
        const isOver = delay(Math.max(0, awaySeconds * 1_000 - undecidedMs));
        const each = [load.untilEach(timesBefore), commands.untilEach(timesBefore)];
        await Promise.all([isOver, ...each]);
      })
    ).writes;
    await back();
  });
  say(`while it was ${how}: ${textOf({ ...away, writes })}`);
  const recoveryMs = await untilWritten(installation, scene.writes);
  return { ...away, before, firstWrites, writes, recoveryMs };
}

/** Sends the probes of each kind at its rate while the work goes on. Resolves when all are answered. */
async function underLoad(
  { installation, requestsPerSecond }: Going,
  { inference = [], questions = [], writes = [] }: Partial<Probes>,
  work: (load: Pick<Probing, 'untilEach'>) => Promise<void>,
): Promise<Tallies> {
  const at = (probes: readonly Probe[], perSecond: number) =>
    startProbes(installation, probes, { perSecond, openMax });
  const loads = {
    inference: at(inference, requestsPerSecond),
    questions: at(questions, questionsPerSecond),
    writes: at(writes, writesPerSecond),
  };
  const all = Object.values(loads);
  const untilEach = async (times: number) => {
    await Promise.all(all.map((load) => load.untilEach(times)));
  };
  try {
    await work({ untilEach });
  } finally {
    await Promise.all(all.map((load) => load.stop()));
  }
  return {
    inference: loads.inference.tally(),
    questions: loads.questions.tally(),
    writes: loads.writes.tally(),
  };
}

/** Returns the milliseconds until a command is carried out. */
async function untilWritten(
  installation: Installation,
  [write]: readonly Probe[],
): Promise<number> {
  if (!write) throw new Error('no command is known');
  const startedMs = performance.now();
  await eventually(
    async () => {
      const answer = await send(installation, write);
      if (answer.status !== 201) throw new Error(`no command is carried out: ${reasonOf(answer)}`);
    },
    { everyMs: 100, sameLooksMax: 1_200 },
  );
  return Math.round(performance.now() - startedMs);
}

function textOf({ inference, questions, writes }: Tallies): string {
  const text = (name: string, { sent, failed, slowestMs }: Tally) =>
    `${sent} ${name}, ${failed} failed, slowest ${slowestMs} ms`;
  return [
    text('inference requests', inference),
    text('questions', questions),
    text('commands', writes),
  ].join('; ');
}
