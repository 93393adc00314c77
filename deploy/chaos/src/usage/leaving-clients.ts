import type { Instance } from '@sluice/acceptance/instance';
import { BrokenRule, checkedFetch } from '@sluice/testing/response-stream';
import type { Random } from '@sluice/testing/random';

export interface LeavingOptions {
  readonly instance: Pick<Instance, 'bootstrap'>;
  readonly random: Random;
  readonly clients: number;
  readonly openMax: number;
}

export interface Left {
  /** Before the answer had its first byte, in the middle of it, and with all of it. */
  early: number;
  midway: number;
  never: number;
}

const leavesMsMax = 500;
const leavesReadsMax = 20;
const patienceMs = 30_000;

/** Clients of streams and of whole answers, each of which goes away at a moment of its own. */
export async function leavingClients(options: LeavingOptions): Promise<Left> {
  const { clients, openMax } = options;
  const left: Left = { early: 0, midway: 0, never: 0 };
  let next = 0;
  async function one(): Promise<void> {
    while (next < clients) left[await ask(options, next++)]++;
  }
  await Promise.all(Array.from({ length: openMax }, one));
  return left;
}

async function ask({ instance, random }: LeavingOptions, number: number): Promise<keyof Left> {
  const { base_url: baseUrl, api_key: key } = instance.bootstrap;
  const input = `client ${number} [sim:words-${random.between(1, 60)}] [sim:slow-${random.between(0, 8)}]`;
  const body = { model: 'sim/chaos', input, stream: random.next() < 0.5 };
  // Half of them leave after some output. On a slow machine the time ends before any answer begins.
  const readsMax = random.next() < 0.5 ? random.between(1, leavesReadsMax) : Infinity;
  const leavesMs = readsMax === Infinity ? 1 + random.below(leavesMsMax) : patienceMs;
  const leaving = new AbortController();
  let reads = 0;
  try {
    const response = await checkedFetch(`${baseUrl}/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(leavesMs)]),
    });
    for await (const bytes of response.body ?? []) {
      reads += Math.sign(bytes.byteLength);
      if (reads >= readsMax) leaving.abort();
    }
    return 'never';
  } catch (error) {
    if (error instanceof BrokenRule) throw error;
    return reads > 0 ? 'midway' : 'early';
  }
}
