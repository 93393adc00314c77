import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { type KeptResponse, ResponseCache } from './response-cache.ts';

const served = {} as KeptResponse['served'];
const response = (bytes: number, expiresAtMs = Infinity): KeptResponse => ({
  generationId: 'gen-1',
  parts: [],
  last: { type: 'finish', reason: 'stop', nativeReason: undefined, usage: undefined },
  nextPart: 0,
  serviceTier: undefined,
  served,
  keptAtMs: 0,
  expiresAtMs,
  bytes,
});
const small = { bytesMax: 100, accountBytesMax: 40, answerBytesMax: 30 };

describe('the cache of answers', () => {
  test('forgets the longest unused answers of the account that is over its share', () => {
    const cache = new ResponseCache(small);
    cache.keep('other', 'account-2', response(30));
    for (const key of ['a', 'b']) cache.keep(key, 'account-1', response(20));
    ok(cache.find('a', 0));
    cache.keep('c', 'account-1', response(20));
    deepEqual(
      ['a', 'b', 'c', 'other'].map((key) => cache.find(key, 0) !== undefined),
      [true, false, true, true],
    );
  });

  test('does not keep an answer that is too long, nor the one before it', () => {
    const cache = new ResponseCache(small);
    cache.keep('a', 'account-1', response(10));
    cache.keep('a', 'account-1', response(31));
    deepEqual([cache.find('a', 0), cache.bytes], [undefined, 0]);
  });

  test('forgets an answer at the end of its time', () => {
    const cache = new ResponseCache(small);
    cache.keep('a', 'account-1', response(10, 5));
    ok(cache.find('a', 4));
    deepEqual([cache.find('a', 5), cache.bytes], [undefined, 0]);
  });

  test('is never larger than its bounds, whatever happens', () => {
    const step = fc.record({
      act: fc.constantFrom('keep', 'find', 'drop'),
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
      bytes: fc.integer({ min: 1, max: 35 }),
      nowMs: fc.integer({ min: 0, max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = new ResponseCache(small);
        const kept = new Map<string, number>();
        for (const { act, key, bytes, nowMs } of steps) {
          const account = key < 'e' ? 'account-1' : 'account-2';
          if (act === 'keep') cache.keep(key, account, response(bytes, 10));
          else if (act === 'find') cache.find(key, nowMs);
          else cache.drop(key);
          if (act === 'keep') kept.set(key, bytes);
          const found = [...kept].filter(([each]) => cache.find(each, 0));
          const sum = (all: typeof found) => all.reduce((bytesOf, [, each]) => bytesOf + each, 0);
          equal(cache.bytes, sum(found));
          ok(cache.bytes <= small.bytesMax);
          ok(sum(found.filter(([each]) => each < 'e')) <= small.accountBytesMax);
        }
      }),
    );
  });
});
