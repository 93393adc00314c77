import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { openDatabase } from '@sluice/read-model';
import { surroundingsOf } from '../crash/surroundings.ts';
import { booksOf } from '../usage/books.ts';
import { watchCaps } from '../usage/caps-watch.ts';
import { judge, type Outcome, undecidedMs } from './judge.ts';
import { describe, emptyTally, type Probe, send, type Tally } from './load.ts';
import { storeAwayScene } from './scene.ts';
import { isPostgres, type StoreAwayHow, takeAway } from './take-away.ts';
import { type Probes, type Tallies, underLoad, untilSent } from './under-load.ts';

export interface StoreAwayOptions {
  readonly how: StoreAwayHow;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly onProgress: (line: string) => void;
}

export interface StoreAwayResult extends Outcome {
  readonly seconds: number;
  readonly findings: readonly string[];
}

const environment = {
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_AUTH_FAILURES_PER_MINUTE: '1000000',
};
/** Requests of each kind before the outage, and the least during it. */
const timesBefore = 2;
/** A key is in use once its lease knows its pace: more than ten seconds of requests. */
const timesInUse = 30;
const connectionsMax = 2;
const recoveryTimeoutMs = 120_000;
const pollMs = 100;

/**
 * Takes the event store or PostgreSQL away from an instance that serves inference and questions, right after a
 * few changes, and counts what fails meanwhile. Everything that was started has ended when it resolves.
 */
export async function storeAwayTest(options: StoreAwayOptions): Promise<StoreAwayResult> {
  const { how, seconds, onProgress } = options;
  onProgress('the services start');
  const instance = await startInstance(environment, 'processes');
  const { postgresUrl: url } = await surroundingsOf(instance);
  const database = openDatabase({ url, schema: 'ledger', connectionsMax });
  const caps = watchCaps(booksOf(database));
  try {
    const seen = await goThrough(instance, options);
    const { overspendNanoUsd, looks: capLooks } = caps;
    const outcome = { how, ...seen, overspendNanoUsd, capLooks };
    onProgress(`a command was carried out after ${seen.recoveryMs} ms`);
    return { ...outcome, seconds, findings: judge(outcome) };
  } finally {
    await caps.stop();
    await database.stop();
    await instance.dispose();
  }
}

async function goThrough(
  instance: Instance,
  { how, seconds, requestsPerSecond, onProgress }: StoreAwayOptions,
): Promise<Pick<Outcome, keyof Tallies | 'before' | 'firstWrites' | 'recoveryMs'>> {
  const scene = await storeAwayScene(instance, isPostgres(how) ? 'postgres' : 'event store');
  const load = (probes: Probes, work: (tallies: Tallies) => Promise<void>) =>
    underLoad(instance, probes, requestsPerSecond, work);
  // Each is remembered and in use when the store goes away.
  const asked = { ...scene, writes: [] };
  const before = await load(asked, (tallies) => untilSent(tallies, asked, timesBefore));
  onProgress(`before: ${textOf(before)}`);
  const changed = { ...asked, inference: await scene.changeALittle() };
  if (isPostgres(how)) {
    const used = { ...changed, questions: [] };
    const inUse = await load(used, (tallies) => untilSent(tallies, used, timesInUse));
    onProgress(`the keys are in use: ${textOf(inUse)}`);
  }
  const writing = { inference: [], questions: [], writes: scene.writes };
  let firstWrites = emptyTally();
  let writes = emptyTally();
  const during = { ...changed, ...scene.meanwhile(changed) };
  const away = await load(during, async (tallies) => {
    const back = await takeAway(instance, how);
    onProgress(`the ${isPostgres(how) ? 'PostgreSQL' : 'event store'} is ${how} for ${seconds} s`);
    ({ writes: firstWrites } = await load(writing, () => delay(undecidedMs)));
    ({ writes } = await load(writing, async (commanded) => {
      await delay(Math.max(0, seconds * 1_000 - undecidedMs));
      await untilSent(
        { ...tallies, writes: commanded.writes },
        { ...during, ...writing },
        timesBefore,
      );
    }));
    await back();
  });
  onProgress(`while it was ${how}: ${textOf({ ...away, writes })}`);
  const recoveryMs = await untilWritten(instance, scene.writes);
  return { ...away, before, firstWrites, writes, recoveryMs };
}

/** The store is back: from then on until a command is carried out. */
async function untilWritten(instance: Instance, [write]: readonly Probe[]): Promise<number> {
  if (!write) throw new Error('no command is known');
  const startedMs = performance.now();
  for (;;) {
    const answered = await send(instance, write);
    const tookMs = Math.round(performance.now() - startedMs);
    if (answered.status === 201) return tookMs;
    if (tookMs > recoveryTimeoutMs)
      throw new Error(`no command was carried out: ${describe(answered)}`);
    await delay(pollMs);
  }
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
