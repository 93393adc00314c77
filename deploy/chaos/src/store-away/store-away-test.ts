import { setTimeout as delay } from 'node:timers/promises';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { readPid } from '@sluice/embedded';
import { surroundingsOf } from '../crash/surroundings.ts';
import { freeze, keepKilling } from '../outages/stopping.ts';
import { emptyTally, keepSending, type Probe, send, type Tally } from './load.ts';
import { type StoreAwayScene, storeAwayScene } from './scene.ts';

/** Frozen: connections stay open and nothing answers. Killed: connections are refused. */
export type StoreAwayHow = 'frozen' | 'killed';

export interface StoreAwayOptions {
  readonly how: StoreAwayHow;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  readonly onProgress: (line: string) => void;
}

export interface StoreAwayResult {
  readonly how: StoreAwayHow;
  readonly seconds: number;
  readonly inference: Tally;
  readonly questions: Tally;
  readonly writes: Tally;
  /** Milliseconds from the end of the outage until a command was carried out. */
  readonly recoveryMs: number;
  readonly findings: readonly string[];
}

const environment = {
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_AUTH_FAILURES_PER_MINUTE: '1000000',
};
const questionsPerSecond = 10;
const writesPerSecond = 1;
const openMax = 200;
/** The promise: one second. */
const writeMsMax = 1_000;
const recoveryTimeoutMs = 120_000;
const pollMs = 100;

/**
 * Takes the event store away from an instance that serves inference and questions, right after a few changes, and
 * counts what fails meanwhile. Everything that was started has ended when it resolves.
 */
export async function storeAwayTest(options: StoreAwayOptions): Promise<StoreAwayResult> {
  const { how, seconds, onProgress } = options;
  onProgress('the services start');
  const instance = await startInstance(environment, 'processes');
  try {
    const scene = await storeAwayScene(instance);
    // Each key is cached and in use when the store goes away.
    const asked = { ...scene, writes: [] };
    const before = await underLoad(instance, asked, options, (tallies) =>
      untilSent(tallies, asked, 2),
    );
    onProgress(`before: ${textOf(before)}`);
    const inference = await scene.changeALittle();
    const changed = { ...scene, inference, writes: [] };
    const writing = { inference: [], questions: [], writes: scene.writes };
    const away = await underLoad(instance, changed, options, async (asked) => {
      const back = await takeAway(instance, how);
      onProgress(`the event store is ${how} for ${seconds} s`);
      const { writes } = await underLoad(instance, writing, options, async (commanded) => {
        await delay(seconds * 1_000);
        await untilSent(
          { ...asked, writes: commanded.writes },
          { ...changed, ...scene, inference },
          2,
        );
      });
      Object.assign(asked.writes, writes);
      await back();
    });
    onProgress(`while it was ${how}: ${textOf(away)}`);
    const recoveryMs = await untilWritten(instance, scene.writes);
    const findings = [...judge('before', before), ...judge(how, away)];
    return { how, seconds, ...away, recoveryMs, findings };
  } finally {
    await instance.dispose();
  }
}

type Tallies = Pick<StoreAwayResult, 'inference' | 'questions' | 'writes'>;
type Probes = Pick<StoreAwayScene, 'inference' | 'questions' | 'writes'>;

async function underLoad(
  instance: Instance,
  probes: Probes,
  { requestsPerSecond }: StoreAwayOptions,
  work: (tallies: Tallies) => Promise<void>,
): Promise<Tallies> {
  const ending = new AbortController();
  const { signal } = ending;
  const tallies = { inference: emptyTally(), questions: emptyTally(), writes: emptyTally() };
  const rates = {
    inference: requestsPerSecond,
    questions: questionsPerSecond,
    writes: writesPerSecond,
  };
  const sending = (['inference', 'questions', 'writes'] as const).map((kind) =>
    keepSending(instance, probes[kind], {
      perSecond: rates[kind],
      openMax,
      tally: tallies[kind],
      signal,
    }),
  );
  try {
    await work(tallies);
  } finally {
    ending.abort();
    await Promise.all(sending);
  }
  return tallies;
}

/** Waits until each probe was answered this often, so that a slow machine shows as much. */
async function untilSent(tallies: Tallies, probes: Probes, times: number): Promise<void> {
  const isDone = (['inference', 'questions', 'writes'] as const).every(
    (kind) => tallies[kind].sent >= probes[kind].length * times,
  );
  if (isDone) return;
  await delay(pollMs);
  await untilSent(tallies, probes, times);
}

/** Takes the event store away. Returns the function that brings it back. */
async function takeAway(instance: Instance, how: StoreAwayHow): Promise<() => Promise<void>> {
  const { pidFileOf } = await surroundingsOf(instance);
  const pidFile = pidFileOf('eventstore');
  if (how === 'frozen') {
    const pid = await readPid(pidFile);
    if (pid === undefined) throw new Error('the event store does not run');
    const frozen = await freeze(pid);
    return async () => frozen.letGo();
  }
  const killing = new AbortController();
  const killed = (async () => {
    while (!killing.signal.aborted) await keepKilling(pidFile, pollMs);
  })();
  return async () => {
    killing.abort();
    await killed;
  };
}

/** Measures the milliseconds until a command is carried out after the store is back. */
async function untilWritten(instance: Instance, [write]: readonly Probe[]): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { status } = write ? await send(instance, write) : { status: 0 };
    const tookMs = Math.round(performance.now() - startedMs);
    if (status === 201) return tookMs;
    if (tookMs > recoveryTimeoutMs) throw new Error(`no command was carried out: ${status}`);
    await delay(pollMs);
  }
}

function judge(when: string, { inference, questions, writes }: Tallies): readonly string[] {
  const failures = [inference, questions, writes].flatMap((tally) => [...tally.failures]);
  const findings = failures.map(([failure, count]) => `${when}: ${failure} (${count} times)`);
  if (writes.slowestMs > writeMsMax)
    findings.push(`${when}: a command was refused after ${writes.slowestMs} ms`);
  return findings;
}

function textOf({ inference, questions, writes }: Tallies): string {
  const text = (name: string, { sent, failed, slowestMs }: Tally) =>
    `${sent} ${name}, ${failed} failed, slowest ${slowestMs} ms`;
  return [
    text('inference requests', inference),
    text('questions', questions),
    text('commands that must be refused', writes),
  ].join('; ');
}
