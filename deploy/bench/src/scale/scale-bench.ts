import { connectionsOf } from '@sluice/acceptance/connections';
import type { Instance } from '@sluice/acceptance/instance';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { settledUsage } from '../harness/machine/usage.ts';
import { startUpstream } from '../harness/upstream/upstream.ts';
import { createClient } from '../management/client.ts';
import { measureRebuilding } from '../management/rebuilding.ts';
import type { Measure } from '../measure.ts';
import { benchFolder, showProgress } from '../program.ts';
import { benchModel } from '../subjects/sluice/catalog.ts';
import { startBenchInstance } from '../subjects/sluice/subject.ts';
import { time } from '../timings.ts';
import { catchingUp } from './caught-up.ts';
import { inspectable, measureKnownKeys } from './known-keys.ts';
import { type Secrets, seedGuardrails, seedKeys, takeSamples } from './seeding.ts';
import { measuresOf, type Size, type Step } from './step.ts';

export const firstStep = 10_000;
/** They come after the first step, whose keys are measured again with them. */
const guardrails = 10_000;
const samples = 400;
const warmKeys = 50;
/** Code that has just been loaded is not what is compared. */
const warmUp = { count: 2_000, inFlight: 8 } as const;
const startMsMax = 60_000;
const catchUpMsPerEvent = 4;
const quiet = { share: 0.1, lookMs: 1_000, waitMsMax: 120_000 };

/** Measures an all-in-one whose account has 10,000 keys, ten times as many, and so on up to `keys`. */
export async function scaleBench(keys: number): Promise<readonly Measure[]> {
  const sizes: Size[] = [{ keys: firstStep, guardrails: 0 }];
  for (let step = firstStep; step < keys; step *= 10) sizes.push({ keys: step, guardrails });
  sizes.push({ keys, guardrails });
  const upstream = await startUpstream();
  const options = { upstream, folder: benchFolder, environment: inspectable };
  const started = await startBenchInstance(options, 'all-in-one');
  const running = { instance: started.instance };
  const stop = async () => {
    await running.instance.dispose();
    await started.stop();
    await upstream.stop();
  };
  const stopped = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', stopped).once('SIGTERM', stopped);
  try {
    return await measureSizes(running, sizes);
  } finally {
    await stop();
  }
}

/** The instance that runs now. A restart puts another one in its place. */
interface Running {
  instance: Instance;
}

async function measureSizes(running: Running, sizes: readonly Size[]): Promise<readonly Measure[]> {
  const { dataDirectory, bootstrap } = running.instance;
  const management = createClient(bootstrap.base_url, bootstrap.management_key);
  const { eventstore_url: url } = await connectionsOf(running.instance);
  const sample = await takeSamples(url, management);
  await management.stop();
  const start = async (readyMsMax: number) => {
    running.instance = await running.instance.restart(readyMsMax);
  };
  const done: Step[] = [];
  const measures: Measure[] = [];
  let made: Size = { keys: 0, guardrails: 0 };
  let secrets: Secrets = { limited: [], unlimited: [] };
  for (const wanted of sizes) {
    const keys = wanted.keys - made.keys;
    const events = keys + wanted.guardrails - made.guardrails;
    const tell = (line: string) =>
      showProgress(`${count(wanted.keys)} keys, ${count(wanted.guardrails)} guardrails: ${line}`);
    tell('they are written into the log, as the API would have');
    await running.instance.stop();
    const writingMs = performance.now();
    if (keys > 0) secrets = await seedKeys(dataDirectory, sample.key, keys);
    await seedGuardrails(dataDirectory, sample.guardrail, events - keys);
    made = wanted;
    tell(`written in ${secondsSince(writingMs)} s; every projection catches up`);
    const startedMs = performance.now();
    const watched = catchingUp(running.instance.adminUrl, showProgress);
    // It is ready when its projections show all that is in the log.
    await start(startMsMax + events * catchUpMsPerEvent).finally(watched);
    const catchUp = { events, tookMs: performance.now() - startedMs };
    tell(`caught up in ${secondsSince(startedMs)} s; it starts anew`);
    // The ledger counts on, which no start waits for.
    if (!(await isQuiet(running.instance))) tell('it is still busy');
    await running.instance.stop();
    const stoppedMs = performance.now();
    await start(startMsMax);
    const startMs = performance.now() - stoppedMs;
    tell(`ready after ${(startMs / 1_000).toFixed(1)} s; requests`);
    await isQuiet(running.instance);
    const times = await timesOf(running.instance, secrets.limited);
    const step = { ...wanted, catchUp, startMs, ...times };
    done.push(step);
    measures.push(...measuresOf(step, done[0] ?? step));
  }
  showProgress('requests with many of them');
  measures.push(...(await measureKnownKeys(running.instance, secrets.unlimited)));
  showProgress('key.api_keys is built anew');
  return [...measures, await measureRebuilding(running.instance)];
}

async function timesOf(instance: Instance, secrets: readonly string[]) {
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
