import { deepEqual } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { LedgerModel } from '@sluice/ledger/testing';
import { seededRandom } from '@sluice/testing/random';
import { Auditor } from './auditor.ts';
import { type SimulatedLimit, customers } from './caps.ts';
import type { Asked } from './clients.ts';
import type { ProviderCall } from './provider.ts';

const { keys } = customers(seededRandom(1));
const [key] = keys;
const { accountId, keyHash } = key;
const before = Date.parse('2026-11-23T23:59:59.990Z');
const after = Date.parse('2026-11-24T00:00:00.010Z');

/** Two running calls of the whole daily limit each, of which nothing is in the ledger yet. */
function judged(first: { readonly sentMs: number; readonly arrivedMs: number }): readonly string[] {
  const second = { sentMs: after, arrivedMs: after };
  const asked = [first, second].map(({ sentMs }, index): Asked => {
    const requestId = `req-${String(index + 1)}`;
    const request = { requestId, key, model: 'sim/one', bodyBytes: 1, outputTokensMax: 100 };
    return {
      ...request,
      sentMs,
      status: 0,
      answeredMs: undefined,
      heardMs: undefined,
      broken: undefined,
    };
  });
  const calls = [first, second].map(({ arrivedMs }, index): ProviderCall => {
    const requestId = `req-${String(index + 1)}`;
    const call = { requestId, attempt: requestId, inputTokens: 0, outputTokensMax: 100, arrivedMs };
    const kind = { life: { isOver: false }, isStreamed: true, isOwn: false };
    return { ...call, ...kind, cachedTokens: 0, servedTokens: 0, hasFailed: false, state: 'open' };
  });
  const scope = { accountId, scopeKind: 'key', scopeId: keyHash, windowKind: 'daily' } as const;
  const limit: SimulatedLimit = {
    ...scope,
    includeByok: false,
    limitNanoUsd: 200_000n,
    revision: 1n,
  };
  const tables = new LedgerModel(() => after);
  const limits = [{ windowKind: 'daily', limitNanoUsd: limit.limitNanoUsd }] as const;
  tables.setLimits({ ...scope, ...limit, limitId: 'limit', limits: [...limits] });
  const caps = [{ ...scope, keyHashes: [keyHash], limit }];
  const auditor = new Auditor({ calls, asked, caps, allowanceNanoUsd: 0n, mayLose: false, tables });
  auditor.step(after);
  return auditor.findings;
}

const overspent = `key/${keyHash}/daily/2026-11-24 is overspent by 200000 of 200000`;

describe('two calls of a whole daily limit each', () => {
  test.each([
    ['both of the new day', { sentMs: after, arrivedMs: after }, [overspent]],
    ['one sent before midnight that arrived after it', { sentMs: before, arrivedMs: after }, []],
    ['one of the day before', { sentMs: before, arrivedMs: before }, []],
  ])('%s', (_name, first, findings) => {
    deepEqual(judged(first), findings);
  });
});
