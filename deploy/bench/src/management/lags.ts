import { setTimeout as delay } from 'node:timers/promises';
import { type Measure, measured } from '../measure.ts';
import { percentile } from '../percentile.ts';
import type { Client } from './client.ts';

const samples = 20;
const pollMs = 2;
const waitMsMax = 10_000;
const model = 'sim/echo';

interface MadeKey {
  readonly secret: string;
  readonly hash: string;
}

/** Measures how long a change takes to have an effect: keys that come and go, and usage that is counted. */
export async function measureLags(client: Client): Promise<readonly Measure[]> {
  const usable: number[] = [];
  const refused: number[] = [];
  const counted: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const key = await makeKey(client);
    usable.push(await msUntil(() => isServed(client, key)));
    counted.push(await msUntil(() => isUsageShown(client, key)));
    await client.send('PATCH', `/keys/${key.hash}`, { disabled: true });
    refused.push(await msUntil(async () => !(await isServed(client, key))));
  }
  return [
    lag('a key is usable after POST /keys was answered', usable, 200),
    lag('a key is refused after PATCH disabled was answered', refused, 200),
    lag('usage is in GET /keys/{hash} after the response', counted, 500),
  ];
}

async function makeKey(client: Client): Promise<MadeKey> {
  const answer = await client.send('POST', '/keys', { name: 'of the bench', limit: 10 });
  const { key: secret, data } = JSON.parse(answer) as { key: string; data: { hash: string } };
  return { secret, hash: data.hash };
}

async function isServed(client: Client, { secret }: MadeKey): Promise<boolean> {
  try {
    await client.send('POST', '/responses', { model, input: 'Hello' }, secret);
    return true;
  } catch (error) {
    if (/ answered 401:/.test(String(error))) return false;
    throw error;
  }
}

async function isUsageShown(client: Client, { hash }: MadeKey): Promise<boolean> {
  const answer = await client.send('GET', `/keys/${hash}`);
  return (JSON.parse(answer) as { data: { usage: number } }).data.usage > 0;
}

/** From now until it is so; a question that is under way when it becomes so does not count as the one that saw it. */
export async function msUntil(isSo: () => Promise<boolean>): Promise<number> {
  const beganMs = performance.now();
  for (;;) {
    const askedMs = performance.now();
    // 0 when the first question already saw it.
    if (await isSo()) return askedMs - beganMs;
    if (performance.now() - beganMs > waitMsMax) throw new Error(`not so in ${waitMsMax} ms`);
    await delay(pollMs);
  }
}

export const lag = (name: string, tookMs: readonly number[], atMost: number): Measure =>
  measured(`${name}, p99`, percentile(tookMs, 0.99), 'ms', {
    atMost,
    note: `p50 ${percentile(tookMs, 0.5).toFixed(2)} ms; until the question that saw it was asked`,
  });
