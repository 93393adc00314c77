import { connectionsOf } from '@sluice/acceptance/connections';
import type { Instance } from '@sluice/acceptance/instance';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import { createClient } from '../management/client.ts';
import { measureRebuilding } from '../management/rebuilding.ts';
import { time } from '../timings.ts';
import type { Measure } from '../measure.ts';
import { benchModel } from '../subjects/sluice/catalog.ts';
import { catchingUp } from './caught-up.ts';
import { measureKnownKeys } from './known-keys.ts';
import { type Secrets, seedGuardrails, seedKeys, takeSamples } from './seeding.ts';
import { measuresOf, type Step } from './step.ts';

export interface ScaleOptions {
  readonly instance: Instance;
  /** The number of keys at each step, ascending. */
  readonly steps: readonly number[];
  /** They come after the first step, whose keys are measured again with them. */
  readonly guardrails: number;
  readonly onProgress: (line: string) => void;
}

const samples = 400;
const warmKeys = 50;
/** Code that has just been loaded is not what is compared. */
const warmUp = { count: 2_000, inFlight: 8 } as const;
const startMsMax = 60_000;
const catchUpMsPerEvent = 4;
const quiet = { share: 0.1, lookMs: 1_000, waitMsMax: 120_000 };

/** Measures an all-in-one whose account has more and more keys. The caller disposes of the last instance. */
export async function scaleBench(
  options: ScaleOptions,
  onInstance: (instance: Instance) => void,
): Promise<readonly Measure[]> {
  const { steps, onProgress } = options;
  let { instance } = options;
  const { dataDirectory } = instance;
  const management = createClient(instance.bootstrap.base_url, instance.bootstrap.management_key);
  const { eventstore_url: url } = await connectionsOf(instance);
  const sample = await takeSamples(url, management);
  await management.stop();
  const start = async (readyMsMax: number) => {
    instance = await instance.restart(readyMsMax);
    onInstance(instance);
  };
  const [first = 0] = steps;
  const done: Step[] = [];
  const measures: Measure[] = [];
  let made = { keys: 0, guardrails: 0 };
  let secrets: Secrets = { limited: [], unlimited: [] };
  const stages = [
    { keys: first, guardrails: 0 },
    ...steps.map((keys) => ({ keys, guardrails: options.guardrails })),
  ];
  for (const wanted of stages) {
    const missing = {
      keys: wanted.keys - made.keys,
      guardrails: wanted.guardrails - made.guardrails,
    };
    const what = `${count(wanted.keys)} keys, ${count(wanted.guardrails)} guardrails`;
    onProgress(`${what}: they are written into the log, as the API would have`);
    await instance.stop();
    const writingMs = performance.now();
    if (missing.keys > 0) secrets = await seedKeys(dataDirectory, sample.key, missing.keys);
    await seedGuardrails(dataDirectory, sample.guardrail, missing.guardrails);
    made = wanted;
    const events = missing.keys + missing.guardrails;
    onProgress(`${what}: written in ${secondsSince(writingMs)} s; every projection catches up`);
    const startedMs = performance.now();
    const patienceMs = startMsMax + events * catchUpMsPerEvent;
    const watched = catchingUp(instance.adminUrl, onProgress);
    // It is ready when its projections show all that is in the log.
    await start(patienceMs).finally(watched);
    const catchUp = { events, tookMs: performance.now() - startedMs };
    onProgress(`${what}: caught up in ${secondsSince(startedMs)} s; it starts anew`);
    // The ledger counts on, which no start waits for.
    if (!(await isQuiet(instance))) onProgress(`${what}: it is still busy`);
    await instance.stop();
    const stoppedMs = performance.now();
    await start(startMsMax);
    const startMs = performance.now() - stoppedMs;
    onProgress(`${what}: ready after ${(startMs / 1_000).toFixed(1)} s; requests`);
    await isQuiet(instance);
    const step = { ...wanted, catchUp, startMs, ...(await measured(instance, secrets.limited)) };
    done.push(step);
    measures.push(...measuresOf(step, done[0] ?? step));
  }
  return [...measures, ...(await atTheEnd(instance, secrets, onProgress))];
}

/** Once, with the most keys: what they take where they are known, and how soon their list is made anew. */
async function atTheEnd(
  instance: Instance,
  { unlimited }: Secrets,
  onProgress: ScaleOptions['onProgress'],
): Promise<readonly Measure[]> {
  onProgress('requests with many of them');
  const known = await measureKnownKeys(instance, unlimited);
  onProgress('key.api_keys is built anew');
  return [...known, await measureRebuilding(instance)];
}

async function measured(instance: Instance, secrets: readonly string[]) {
  const { base_url: url, management_key: managementKey } = instance.bootstrap;
  const body = { model: benchModel, input: 'Hello' };
  const client = createClient(url, managementKey);
  const secretOf = (index: number) => secrets[index % secrets.length] ?? '';
  const infer = (from: number, among: number) => (index: number) =>
    client.send('POST', '/responses', body, secretOf(from + (index % among)));
  const one = (act: (index: number) => Promise<unknown>) =>
    time({ count: samples, inFlight: 1, act });
  await time({ ...warmUp, act: infer(0, warmKeys) });
  const warm = await one(infer(0, warmKeys));
  const cold = await one(infer(warmKeys, secrets.length - warmKeys));
  const list = await one(() => client.send('GET', '/keys'));
  const residentBytes = await residentBytesOf([instance.pid]);
  await client.stop();
  return { warm, cold, list, residentBytes };
}

/** Waits until the process has almost nothing to do any more. */
async function isQuiet({ pid }: Instance): Promise<boolean> {
  return (await settledUsage({ measured: [pid], others: [] }, quiet)).isAtRest;
}

const count = (number: number) => number.toLocaleString('en');
const secondsSince = (sinceMs: number) => ((performance.now() - sinceMs) / 1_000).toFixed(1);
