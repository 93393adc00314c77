import { describe, expect, test } from 'vitest';
import type { LoopLimits, StopCondition } from '../request/loop-limits.ts';
import { callsLeft, isLoopOver, type LoopSoFar } from './stop-conditions.ts';

const tokens = { inputTokens: 60, cachedTokens: 0, outputTokens: 40, reasoningTokens: 0 };
const soFar: LoopSoFar = {
  steps: 3,
  calls: 5,
  called: new Set(['service_datetime', 'service:datetime']),
  usage: {
    tokens,
    costNanoUsd: 2_000_000n,
    inputCostNanoUsd: 0n,
    outputCostNanoUsd: 0n,
    isByok: false,
  },
  last: { type: 'finish', reason: 'tool-calls', nativeReason: 'tool_use', usage: undefined },
};
const isOver = (limits: LoopLimits, changes: Partial<LoopSoFar> = {}) =>
  isLoopOver(limits, { ...soFar, ...changes });

describe('the limit of calls', () => {
  test('is 30 unless the client names a smaller one', () => {
    expect(callsLeft({}, 5)).toBe(25);
    expect(callsLeft({ callsMax: 7 }, 5)).toBe(2);
    expect(callsLeft({ callsMax: 5 }, 9)).toBe(0);
    expect(isOver({}, { calls: 29 })).toBe(false);
    expect(isOver({}, { calls: 30 })).toBe(true);
    expect(isOver({ callsMax: 5 })).toBe(true);
  });

  test('is replaced by stop conditions', () => {
    const stopWhen: readonly StopCondition[] = [{ type: 'step_count_is', step_count: 9 }];
    expect(isOver({ callsMax: 5, stopWhen })).toBe(false);
    expect(callsLeft({ callsMax: 5, stopWhen }, 500)).toBe(128);
  });
});

describe('a stop condition', () => {
  test.each<[StopCondition, boolean]>([
    [{ type: 'step_count_is', step_count: 3 }, true],
    [{ type: 'step_count_is', step_count: 4 }, false],
    [{ type: 'has_tool_call', tool_name: 'service:datetime' }, true],
    [{ type: 'has_tool_call', tool_name: 'service_datetime' }, true],
    [{ type: 'has_tool_call', tool_name: 'datetime' }, false],
    [{ type: 'max_tokens_used', max_tokens: 99 }, true],
    [{ type: 'max_tokens_used', max_tokens: 100 }, false],
    [{ type: 'max_cost', max_cost_in_dollars: 0.001 }, true],
    [{ type: 'max_cost', max_cost_in_dollars: 0.002 }, false],
    [{ type: 'finish_reason_is', reason: 'tool_use' }, true],
    [{ type: 'finish_reason_is', reason: 'tool_calls' }, true],
    [{ type: 'finish_reason_is', reason: 'stop' }, false],
  ])('%o fires: %s', (condition, fires) => {
    expect(isOver({ stopWhen: [condition] })).toBe(fires);
    const never: StopCondition = { type: 'has_tool_call', tool_name: 'never' };
    expect(isOver({ stopWhen: [never, condition] })).toBe(fires);
  });

  test('that never fires ends after 30 steps, or as many as one names up to 100', () => {
    const never: StopCondition = { type: 'has_tool_call', tool_name: 'never' };
    const steps = (step_count: number): StopCondition => ({ type: 'step_count_is', step_count });
    expect(isOver({ stopWhen: [never] }, { steps: 29 })).toBe(false);
    expect(isOver({ stopWhen: [never] }, { steps: 30 })).toBe(true);
    expect(isOver({ stopWhen: [steps(50)] }, { steps: 49 })).toBe(false);
    expect(isOver({ stopWhen: [steps(500)] }, { steps: 99 })).toBe(false);
    expect(isOver({ stopWhen: [steps(500)] }, { steps: 100 })).toBe(true);
  });
});
