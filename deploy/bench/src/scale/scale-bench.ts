import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instance } from '@sluice/acceptance/instance';
import { residentBytesOf } from '../harness/machine/process-figures.ts';
import { createClient } from '../management/client.ts';
import { time, type Timings } from '../management/timings.ts';
import type { Measure } from '../measure.ts';
import { benchModel } from '../subjects/sluice/catalogue.ts';
import { caughtUp } from './caught-up.ts';
import { seedGuardrails, seedKeys } from './seeding.ts';

export interface ScaleOptions {
  readonly instance: Instance;
  /** How many keys there are at each step, ascending. */
  readonly steps: readonly number[];
  readonly guardrails: number;
  readonly onProgress: (line: string) => void;
}

const samples = 400;
const warmKeys = 50;
const catchUpMsMin = 300_000;
const catchUpMsPerKey = 5;
const mebibyte = 1024 * 1024;

/** What one step of the state costs. */
interface Step {
  readonly keys: number;
  readonly catchUp: { readonly tookMs: number };
  readonly startMs: number;
  readonly residentBytes: number;
  readonly warm: Timings;
  readonly cold: Timings;
  readonly list: Timings;
}

/** Measures a running all-in-one whose account has more and more keys. The caller disposes of the last instance. */
export async function scaleBench(
  options: ScaleOptions,
  onInstance: (instance: Instance) => void,
): Promise<readonly Measure[]> {
  const { steps, guardrails, onProgress } = options;
  let { instance } = options;
  const done: Step[] = [];
  let made = 0;
  const seeding = async () => ({
    dataDirectory: instance.dataDirectory,
    eventStoreUrl: await eventStoreUrlOf(instance),
    management: createClient(instance.bootstrap.base_url, instance.bootstrap.management_key),
  });
  onProgress(`${guardrails} guardrails are made`);
  await seedGuardrails(await seeding(), guardrails);
  for (const keys of steps) {
    onProgress(`${keys} keys are made`);
    const secrets = await seedKeys(await seeding(), keys - made);
    made = keys;
    const patienceMs = Math.max(catchUpMsMin, keys * catchUpMsPerKey);
    const catchUp = await caughtUp(instance.adminUrl, patienceMs);
    // It is not ready before they are: what was measured as its start would be theirs.
    if (catchUp.behind.length > 0) throw new Error(`${catchUp.behind.join(', ')} are behind`);
    onProgress(`${keys} keys: it starts anew`);
    await instance.stop();
    const stoppedMs = performance.now();
    instance = await instance.restart();
    onInstance(instance);
    const startMs = performance.now() - stoppedMs;
    await caughtUp(instance.adminUrl, patienceMs);
    done.push({ keys, catchUp, startMs, ...(await measured(instance, secrets)) });
  }
  return done.flatMap((step) => measuresOf(step, done[0] ?? step));
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
  const warm = await one(infer(0, warmKeys));
  const cold = await one(infer(warmKeys, secrets.length - warmKeys));
  const list = await one(() => client.send('GET', '/keys'));
  const residentBytes = await residentBytesOf([instance.pid]);
  client.stop();
  return { warm, cold, list, residentBytes };
}

async function eventStoreUrlOf({ dataDirectory }: Instance): Promise<string> {
  const text = await readFile(join(dataDirectory, 'run', 'connections.json'), 'utf8');
  return (JSON.parse(text) as { eventstore_url: string }).eventstore_url;
}

function measuresOf(step: Step, first: Step): readonly Measure[] {
  const what = `${step.keys.toLocaleString('en')} keys`;
  const { catchUp } = step;
  const timesOf = (timings: Timings, before: Timings) =>
    `${(timings.p50Ms / before.p50Ms).toFixed(2)} × that of ${first.keys.toLocaleString('en')} keys`;
  const timed = (name: string, timings: Timings, before: Timings): Measure => ({
    name: `${what}: ${name}, p50`,
    value: timings.p50Ms,
    unit: 'ms',
    note: `p99 ${timings.p99Ms.toFixed(2)} ms; ${timesOf(timings, before)}`,
  });
  return [
    timed('a response, the key is known', step.warm, first.warm),
    timed('a response, the key is not known', step.cold, first.cold),
    timed('GET /keys, the newest 100', step.list, first.list),
    { name: `${what}: from stop to ready`, value: step.startMs / 1_000, unit: 's' },
    {
      name: `${what}: resident memory`,
      value: step.residentBytes / mebibyte,
      unit: 'MiB',
      note: 'all services in one process, without PostgreSQL, NATS and the event store',
    },
    {
      name: `${what}: every projection shows them after`,
      value: catchUp.tookMs / 1_000,
      unit: 's',
    },
  ];
}
