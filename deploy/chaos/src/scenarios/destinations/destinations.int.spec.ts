import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../../perform.ts';
import { destinationsUnderKills } from './destinations.ts';

describe('kills of the observer, the broker and the receiver while generations flow', () => {
  test('leave each destination with all that is for it, and nothing else', async () => {
    const settings = { GENERATIONS: '600', KILLS: '3', SEED: '1' };
    const { findings, numbers } = await perform(destinationsUnderKills, settings);
    deepEqual(findings, []);
    equal(numbers.delivered, numbers.expected);
    equal(numbers.kills, 3);
  });
});
