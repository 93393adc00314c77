import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadAlignment } from './alignment-config.ts';

describe('the settings of the plugin alignment', () => {
  test('name the evaluator and its time', () => {
    const env = { SLUICE_ALIGNMENT_MODEL: 'a/b', SLUICE_ALIGNMENT_TIMEOUT_MS: '5000' };
    deepEqual(loadAlignment(env), { model: 'a/b', timeoutMs: 5_000 });
    deepEqual(loadAlignment({ SLUICE_ALIGNMENT_MODEL: '' }), {});
  });

  test.each([
    ['SLUICE_ALIGNMENT_TIMEOUT_MS', '99'],
    ['SLUICE_ALIGNMENT_TIMEOUT_MS', 'soon'],
    ['SLUICE_ALIGNMENT_MODEL', 'x'.repeat(257)],
  ])('are refused: %s=%s', (name, value) => {
    throws(() => loadAlignment({ [name]: value }), new RegExp(name));
  });
});
