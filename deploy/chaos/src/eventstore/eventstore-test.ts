import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { seededRandom } from '@sluice/testing/random';
import { startEmbeddedStore } from './embedded-store.ts';
import { type Fault, faults as allFaults } from './faults.ts';
import { type GivenStoreOptions, startGivenStore } from './given-store.ts';
import { type Load, startLoad } from './load.ts';
import { logRound } from './log-round.ts';
import { countsSince, type Outcome } from './outcome.ts';
import { passingRound } from './passing-round.ts';
import type { Store } from './store.ts';

export interface EventStoreTestOptions {
  /** Names of the faults, in their order; all when absent. */
  readonly faults?: readonly string[];
  /** Number of repetitions of each fault from which the store recovers by itself. */
  readonly rounds: number;
  readonly seed: number;
  /** Inference requests per second. The test sends half as many GETs. */
  readonly requestsPerSecond: number;
  /** Milliseconds of an outage. */
  readonly awayMs: number;
  /** Milliseconds within which Sluice must report that something is wrong. */
  readonly lookOutMs: number;
  /** Milliseconds between two acknowledged commands while the store answers. */
  readonly gapMsMax: number;
  /** A server in the place of the embedded node. */
  readonly given?: GivenStoreOptions;
  readonly onProgress: (line: string) => void;
}

export interface EventStoreTestResult {
  readonly outcomes: readonly Outcome[];
  /** Fault → why the store cannot be treated so. */
  readonly skipped: Readonly<Record<string, string>>;
  readonly lost: number;
  readonly twice: number;
  readonly silent: number;
  readonly longestGapMs: number;
  readonly inference: number;
  readonly failedInference: number;
  readonly reads: number;
  readonly failedReads: number;
  readonly seconds: number;
  /** The broken promises, one sentence each. */
  readonly findings: readonly string[];
}

/** The test sends more requests than a person does. */
const environment = {
  SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_OPEN_MAX: '10000',
  SLUICE_BOOTSTRAP_CREDITS_USD: '1000',
};

/**
 * Lets the event store fail in one way after the other under a whole Sluice, while administrators change keys and
 * clients send requests. Everything that was started has ended when it resolves.
 */
export async function eventStoreTest(
  options: EventStoreTestOptions,
): Promise<EventStoreTestResult> {
  const { given, onProgress } = options;
  const startedMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-eventstore-chaos-'));
  const store = given ? await startGivenStore(given) : await startEmbeddedStore(folder);
  let instance: Instance | undefined;
  let load: Load | undefined;
  let isRight = false;
  try {
    onProgress(`${store.name} runs; Sluice starts`);
    instance = await startInstance({ ...environment, SLUICE_EVENTSTORE_URL: store.url });
    const { requestsPerSecond } = options;
    load = startLoad({ instance, requestsPerSecond, readsPerSecond: requestsPerSecond / 2 });
    await load.untilInUse();
    const { outcomes, skipped } = await rounds(options, { store, instance, load, folder });
    await load.stop();
    const result = resultOf(outcomes, load, options);
    isRight = result.findings.length === 0;
    return { ...result, skipped, seconds: Math.round((performance.now() - startedMs) / 1_000) };
  } finally {
    await load?.stop();
    if (isRight) await instance?.dispose();
    else if (instance) {
      await instance.stop();
      onProgress(`the data directory is kept: ${instance.dataDirectory}`);
    }
    await store.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Running {
  readonly store: Store;
  readonly instance: Instance;
  readonly load: Load;
  readonly folder: string;
}

async function rounds(options: EventStoreTestOptions, { load, ...running }: Running) {
  const { seed, awayMs, lookOutMs, onProgress } = options;
  const random = seededRandom(seed);
  const outcomes: Outcome[] = [];
  const skipped: Record<string, string> = {};
  let isTheEnd = false;
  for (const [index, fault] of chosen(options).entries()) {
    if (isTheEnd) {
      skipped[fault.name] = 'commands do not work since the fault before it';
      continue;
    }
    const lack = fault.needs && running.store.lacks(fault.needs);
    if (lack !== undefined) {
      skipped[fault.name] = lack;
      onProgress(`${fault.name}: skipped, since ${lack}`);
      continue;
    }
    const namePrefix = `${seed}-${index} `;
    const stage = { ...running, random: random.fork(), namePrefix, awayMs, lookOutMs };
    const before = { ...load.counts };
    const failuresBefore = new Map(load.failures);
    const outcome = await ('log' in fault ? logRound(stage, fault) : passingRound(stage, fault));
    const failures = [...load.failures].flatMap(([failure, times]) => {
      const more = times - (failuresBefore.get(failure) ?? 0);
      return more > 0 ? [`${more} × ${failure}`] : [];
    });
    const findings = [...outcome.findings, ...failures];
    const counted = { ...outcome, findings, load: countsSince(before, { ...load.counts }) };
    outcomes.push(counted);
    isTheEnd = outcome.isTheEnd;
    onProgress(lineOf(counted));
    for (const finding of counted.findings) onProgress(`  ${finding}`);
  }
  return { outcomes, skipped };
}

/** Replaces the log. This fault runs last. */
function chosen({ faults: names, rounds: times }: EventStoreTestOptions): readonly Fault[] {
  const named = names?.map((name) => {
    const fault = allFaults.find((each) => each.name === name);
    if (!fault) throw new Error(`There is no fault "${name}".`);
    return fault;
  });
  const every = named ?? allFaults;
  const passing = every.filter((fault) => !('log' in fault));
  return [
    ...Array.from({ length: times }, () => passing).flat(),
    ...every.filter((fault) => 'log' in fault),
  ];
}

function lineOf({ fault, acknowledged, gapMs, load, said, findings }: Outcome): string {
  const gap = gapMs === undefined ? '' : `, longest gap ${gapMs} ms`;
  const requests = `${load.failedInference} of ${load.inference} requests`;
  const failed = `${requests} and ${load.failedReads} of ${load.reads} GETs failed`;
  const heard = said === '' ? '' : `; said: ${said}`;
  return `${fault}: ${acknowledged} acknowledged${gap}; ${failed}${heard}; ${findings.length} findings`;
}

function resultOf(
  outcomes: readonly Outcome[],
  { counts, failures }: Load,
  { gapMsMax }: Pick<EventStoreTestOptions, 'gapMsMax'>,
): Omit<EventStoreTestResult, 'skipped' | 'seconds'> {
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const findings = outcomes.flatMap(({ fault, gapMs, findings: found }) => [
    ...found.map((finding) => `${fault}: ${finding}`),
    ...(gapMs !== undefined && gapMs > gapMsMax
      ? [`${fault}: no command was acknowledged for ${gapMs} ms`]
      : []),
  ]);
  if (failures.size > 0)
    findings.push([...failures].map(([what, times]) => `${times} × ${what}`).join('; '));
  const { inference, failedInference, reads, failedReads } = counts;
  return {
    outcomes,
    lost: sum(({ lost }) => lost),
    twice: sum(({ twice }) => twice),
    silent: sum(({ silent }) => silent),
    longestGapMs: Math.max(0, ...outcomes.map(({ gapMs = 0 }) => gapMs)),
    inference,
    failedInference,
    reads,
    failedReads,
    findings,
  };
}
