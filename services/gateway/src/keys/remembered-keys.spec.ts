import { equal, ok } from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { KeyKind, ResolveKeyResponse } from '@sluice/protos/sluice/key/v1/key';
import { systemClock } from '@sluice/clock-and-ids';
import { test } from 'vitest';
import type { KeyCalls } from '../clients/calls.ts';
import { createPrincipalCache } from './principal-cache.ts';
import { keyResolver } from './resolve-key.ts';

const keys = 30_000;
const bytesPerKeyMax = 512;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** A key as it comes over the wire: each of its texts is new. */
function answerTo(hash: string, number: number): ResolveKeyResponse {
  const key = {
    hash,
    kind: KeyKind.KEY_KIND_REGULAR,
    label: `sk-sluice-v1-${String(number).padStart(3, '0').slice(0, 3)}...abc`,
    name: `The key of number ${number}`,
    accountId: 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    workspaceId: '11111111-1111-4111-8111-111111111111',
    creatorUserId: 'user_01ARZ3NDEKTSV4RRFFQ69G5FA',
    limitNanoUsd: 10_000_000_000n + BigInt(number),
    limitReset: 'daily',
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
    source: 'api',
  };
  return ResolveKeyResponse.decode(
    ResolveKeyResponse.encode(ResolveKeyResponse.fromPartial({ key })).finish(),
  );
}

test('a cached key takes at most 512 bytes', async () => {
  let number = 0;
  const calls: Pick<KeyCalls, 'resolveKey'> = {
    resolveKey: async ({ hash }) => answerTo(hash, number),
  };
  const cache = createPrincipalCache({
    resolve: keyResolver(calls),
    unsubscribedMs: () => 0,
    clock: systemClock,
  });
  const cacheOne = async () => {
    number += 1;
    const hash = Buffer.from(number.toString(16).padStart(64, '0')).toString();
    ok(await cache.find({ hash, secret: 'a secret' }));
  };
  for (let warmUp = 0; warmUp < 1_000; warmUp++) await cacheOne();
  const before = usedBytes();
  const known = cache.size;
  for (let cached = 0; cached < keys; cached++) await cacheOne();
  const bytesPerKey = (usedBytes() - before) / keys;
  equal(cache.size, known + keys);
  ok(bytesPerKey > 0 && bytesPerKey <= bytesPerKeyMax, `${bytesPerKey.toFixed(0)} bytes per key`);
});
