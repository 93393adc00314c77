import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadImageModel, loadToolLimits } from './tool-config.ts';

describe('the limits of server tools', () => {
  test('are the usual ones unless the environment sets others', () => {
    deepEqual(loadToolLimits({}), {});
    const env = { SLUICE_TOOL_TIMEOUT_MS: '5000', SLUICE_TOOL_PARALLEL_CALLS: '1' };
    deepEqual(loadToolLimits(env), { callMs: 5_000, parallelCallsMax: 1 });
    deepEqual(loadToolLimits({ SLUICE_TOOL_CALLS: '7' }), { callsMax: 7 });
  });

  test('may be those of single tools', () => {
    const text = 'web_fetch.calls=5,web_fetch.ms=10000, mcp.characters=20000';
    deepEqual(loadToolLimits({ SLUICE_TOOL_LIMITS: text }), {
      ofTools: {
        'service:web_fetch': { callsMax: 5, callMs: 10_000 },
        'service:mcp': { resultCharactersMax: 20_000 },
      },
    });
  });

  test.each([
    ['SLUICE_TOOL_TIMEOUT_MS', '99'],
    ['SLUICE_TOOL_LOOP_TIMEOUT_MS', 'long'],
    ['SLUICE_TOOL_PARALLEL_CALLS', '0'],
    ['SLUICE_TOOL_RESULT_CHARACTERS', '9999999999'],
    ['SLUICE_TOOL_CALLS', '0'],
    ['SLUICE_TOOL_LIMITS', 'web_fetch.calls=0'],
    ['SLUICE_TOOL_LIMITS', 'web_fetch.ms=99'],
    ['SLUICE_TOOL_LIMITS', 'web_fetch.hours=5'],
    ['SLUICE_TOOL_LIMITS', 'hammer.calls=5'],
    ['SLUICE_TOOL_LIMITS', 'web_fetch.calls=5,'],
  ])('are refused: %s of %s', (name, value) => {
    throws(() => loadToolLimits({ [name]: value }), new RegExp(name));
  });
});

describe('the model of pictures', () => {
  test('is the one that the environment names', () => {
    equal(loadImageModel({ SLUICE_IMAGE_MODEL: 'sim/gemini-image' }), 'sim/gemini-image');
    equal(loadImageModel({ SLUICE_IMAGE_MODEL: '' }), undefined);
    equal(loadImageModel({}), undefined);
  });
});
