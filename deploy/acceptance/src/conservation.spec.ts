import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { eventually, manage, raw } from './http.ts';
import { type Instance, startInstance } from './instance.ts';

let sluice: Instance;
beforeAll(async () => {
  sluice = await startInstance({ SLUICE_INFERENCE_OPEN_MAX: '1000' }, 'processes');
});
afterAll(() => sluice?.dispose());

interface Proof {
  readonly admitted: number;
  readonly settled: number;
  readonly under_way: number;
  readonly open: { readonly attempts: number; readonly usage_ids: readonly string[] };
  readonly suspense: { readonly attempts: number };
  readonly is_conserved: boolean;
}

async function proof(): Promise<Proof> {
  const { base_url: base, management_key: key } = sluice.bootstrap;
  const response = await fetch(new URL('/proof/conservation', base), {
    headers: { authorization: `Bearer ${key}` },
  });
  equal(response.status, 200);
  return ((await response.json()) as { data: Proof }).data;
}

interface Receipt {
  readonly id: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

async function owedNanoUsd(): Promise<number> {
  const file = join(sluice.dataDirectory, 'simulator', 'receipts.jsonl');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => JSON.parse(line) as Receipt)
    .reduce((sum, receipt) => sum + receipt.input_tokens * 1000 + receipt.output_tokens * 2000, 0);
}

const usedNanoUsd = async () =>
  Math.round(Number((await manage(sluice, '/credits')).body['data']?.['total_usage']) * 1e9);

/** The client of one stream. */
interface Asked {
  /** Some of the answer is there: routing has written down the name that the provider gave it. */
  readonly begun: Promise<void>;
  /** The client knows the end, whatever it is. */
  readonly ended: Promise<void>;
}

const wordsBegun = 10;

function ask(number: number): Asked {
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  const model = number % 2 === 0 ? 'sim/sim-slow-20' : 'sim/chat-sim-slow-20';
  const body = { model, input: `[sim:words-${400 + number}]`, stream: true };
  const read = async () => {
    const response = await raw(sluice, '/responses', { body });
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      if (text.split('"delta":').length > wordsBegun) resolve();
    }
    throw new Error(`it ended as ${text.slice(0, 2_000)}`);
  };
  return { begun, ended: read().catch(reject) };
}

const askedCount = 30;

describe('what was admitted', () => {
  test('is settled, under way, released or open at every moment, also when routing is killed', async () => {
    const asked = Array.from({ length: askedCount }, (_, number) => ask(number));
    await Promise.all(asked.map(({ begun }) => begun));
    await eventually(proof, ({ open }) => open.attempts === askedCount);
    const pidFile = join(sluice.dataDirectory, 'run', 'routing.pid');
    process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
    const seen: Proof[] = [];
    const ended = await eventually(
      async () => {
        const now = await proof();
        seen.push(now);
        return now;
      },
      ({ settled, under_way, open, suspense }) =>
        settled === askedCount && under_way + open.attempts + suspense.attempts === 0,
    );
    await Promise.all(asked.map(({ ended }) => ended));
    ok(seen.length > 2);
    deepEqual(
      seen.filter(({ is_conserved }) => !is_conserved),
      [],
    );
    deepEqual(ended.open.usage_ids, []);
    // Each of those that the kill cut off was corrected to what the provider served.
    await eventually(
      async () => [await usedNanoUsd(), await owedNanoUsd()],
      ([used, owed]) => used === owed,
    );
  });
});
