import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { servedTier } from './served-tier.ts';

test.each([
  ['default', 'default'],
  ['standard', 'default'],
  ['on_demand', 'default'],
  ['scale', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['fast', 'priority'],
  ['ultrafast', 'ultrafast'],
  ['auto', undefined],
  ['batch', undefined],
  ['', undefined],
  [null, undefined],
  [7, undefined],
  [undefined, undefined],
])('the upstream tier %j maps to %j', (word, tier) => equal(servedTier(word), tier));
