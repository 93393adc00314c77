import { deepEqual, equal, ok } from 'node:assert/strict';
import { BrokenRule, checkedFetch } from '@sluice/testing/response-stream';
import type { Random } from '@sluice/testing/random';
import { describe, test } from 'vitest';
import { underAudit } from '../audit/books/under-audit.ts';
import { type Installation, withInstallation } from '../parts/installation.ts';
import { type Given, perform } from '../perform.ts';

/** The nightly job lets a thousand leave. */
const clients = Number(process.env['CLIENTS'] ?? 150);
const openMax = 60;
const leavesMsMax = 500;
const leavesReadsMax = 20;
const patienceMs = 30_000;

/** The client leaves before the first byte, in the middle of the answer, or never. One that stays must be served. */
type Leaving = 'early' | 'midway' | 'never' | 'unserved';

async function leavingClients({ random, say }: Given) {
  return await withInstallation({ program: 'all-in-one', say }, async (installation) => {
    const left = { early: 0, midway: 0, never: 0, unserved: 0 };
    let next = 0;
    const one = async () => {
      while (next < clients) left[await leave(installation, random, next++)]++;
    };
    const auditing = { installation, random: random.fork(), requestsPerSecond: 0, say };
    const audited = await underAudit(auditing, async () => {
      await Promise.all(Array.from({ length: openMax }, one));
    });
    return { findings: audited.findings, numbers: left, audited };
  });
}

async function leave(
  { bootstrap }: Installation,
  random: Random,
  number: number,
): Promise<Leaving> {
  const input = `client ${number} [sim:words-${random.between(1, 60)}] [sim:slow-${random.between(0, 8)}]`;
  const body = { model: 'sim/chaos', input, stream: random.next() < 0.5 };
  // Half of them leave after some output. On a slow machine the time ends before any answer begins.
  const readsMax = random.next() < 0.5 ? random.between(1, leavesReadsMax) : Infinity;
  const leavesMs = readsMax === Infinity ? 1 + random.below(leavesMsMax) : patienceMs;
  const leaving = new AbortController();
  let reads = 0;
  try {
    const response = await checkedFetch(`${bootstrap.base_url}/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bootstrap.api_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(leavesMs)]),
    });
    for await (const bytes of response.body ?? []) {
      reads += Math.sign(bytes.byteLength);
      if (reads >= readsMax) leaving.abort();
    }
    // A busy gateway sheds load.
    return response.ok || response.status === 503 ? 'never' : 'unserved';
  } catch (error) {
    if (error instanceof BrokenRule) throw error;
    return reads > 0 ? 'midway' : 'early';
  }
}

describe('many clients that leave at random points', () => {
  test('leave a row for each generation, billed as its receipt says', async () => {
    const { findings, numbers: left, audited } = await perform(leavingClients, { SEED: '7' });
    deepEqual(findings, []);
    deepEqual([audited.lost, audited.double, audited.open, left.unserved], [0, 0, 0, 0]);
    equal(audited.billedNanoUsd, audited.receiptNanoUsd);
    ok(audited.receipts > clients / 4, `${audited.receipts} receipts`);
    ok(left.midway > clients / 100, `${left.midway} left in the middle`);
    ok(left.early > clients / 100, `${left.early} left before the first byte`);
  });
});
