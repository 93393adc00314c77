import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { cacheWish } from './cache-wish.ts';

test.each([
  [{}, undefined],
  [{ cache: 'yes' }, undefined],
  [
    { cacheTtl: '60', cacheClear: 'true' },
    { ttlSeconds: 60, clears: true },
  ],
  [{ cache: 'true' }, { isOn: true }],
  [{ cache: ' False ' }, { isOn: false }],
  [
    { cache: 'true', cacheTtl: '60abc' },
    { isOn: true, ttlSeconds: 60 },
  ],
  [
    { cache: 'true', cacheTtl: '1.5' },
    { isOn: true, ttlSeconds: 1 },
  ],
  [
    { cache: 'true', cacheTtl: '0' },
    { isOn: true, ttlSeconds: 1 },
  ],
  [
    { cache: 'true', cacheTtl: '-5' },
    { isOn: true, ttlSeconds: 1 },
  ],
  [
    { cache: 'true', cacheTtl: '100000' },
    { isOn: true, ttlSeconds: 86_400 },
  ],
  [{ cache: 'true', cacheTtl: 'soon' }, { isOn: true }],
  [
    { cache: 'true', cacheClear: 'TRUE' },
    { isOn: true, clears: true },
  ],
  [{ cache: 'true', cacheClear: '1' }, { isOn: true }],
])('the headers %j are read as %j', (headers, wish) => {
  deepEqual(cacheWish(headers), wish);
});
