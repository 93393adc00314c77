import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { failModeOf, outputScanOf, readFailMode, readScanOutput } from './index.ts';

type Filtering = Parameters<typeof failModeOf>[0][number];

const none: Filtering = { builtinFilters: [], customFilters: [], scanOutput: null, failMode: null };
const builtin: Filtering = {
  ...none,
  builtinFilters: [{ slug: 'email', action: 'flag', scanScope: null }],
};
const custom: Filtering = {
  ...none,
  customFilters: [{ pattern: 'x', action: 'flag', label: null }],
};

describe('the scan of the output', () => {
  const scanOf = (...all: readonly Filtering['scanOutput'][]) =>
    outputScanOf(all.map((scanOutput) => ({ ...builtin, scanOutput })));

  test('is off unless a guardrail asks for it', () => {
    equal(scanOf(), null);
    equal(scanOf(null, null), null);
    equal(scanOf(null, 'sentence'), 'sentence');
    equal(outputScanOf([{ ...custom, scanOutput: 'sentence' }]), 'sentence');
  });

  test('waits for the end of the text if any guardrail does', () => {
    equal(scanOf('sentence', 'end'), 'end');
    equal(scanOf('end', 'sentence', null), 'end');
  });

  test('is not asked for by a guardrail without filters', () => {
    equal(outputScanOf([builtin, { ...none, scanOutput: 'end' }]), null);
    equal(
      outputScanOf([
        { ...custom, scanOutput: 'sentence' },
        { ...none, scanOutput: 'end' },
      ]),
      'sentence',
    );
  });
});

describe('the fail mode', () => {
  const modeOf = (...all: readonly Filtering['failMode'][]) =>
    failModeOf(all.map((failMode) => ({ ...custom, failMode })));

  test('is the default unless a guardrail says another one', () => {
    equal(modeOf(), null);
    equal(modeOf(null, null), null);
  });

  test('blocks if any guardrail says so, and passes only if all do', () => {
    equal(modeOf('pass', 'block'), 'block');
    equal(modeOf('block', null), 'block');
    equal(modeOf('pass', null), null);
    equal(modeOf('pass', 'pass'), 'pass');
  });

  test('is not said by a guardrail without filters', () => {
    equal(failModeOf([{ ...builtin, failMode: 'pass' }, none]), 'pass');
    equal(
      failModeOf([
        { ...builtin, failMode: 'pass' },
        { ...none, failMode: 'block' },
      ]),
      'pass',
    );
    equal(failModeOf([{ ...none, failMode: 'block' }]), null);
  });
});

test('a mode that is unknown counts as the strongest, and an absent one as none', () => {
  equal(readScanOutput('sentence'), 'sentence');
  equal(readScanOutput('paragraph'), 'end');
  equal(readScanOutput(undefined), null);
  equal(readFailMode('pass'), 'pass');
  equal(readFailMode('retry'), 'block');
  equal(readFailMode(undefined), null);
});
