import { nanoUsdToNumber, type LastPart } from '@sluice/inference';
import type { LoopLimits, StopCondition } from '../request/loop-limits.ts';
import type { UsageReport } from '../request/usage-report.ts';

/** Calls of server tools in a response, unless stop conditions replace the limit. */
const callsMax = 30;
/** Turns with calls under stop conditions that name no higher number. */
const stepsUsual = 30;
const stepsMax = 100;
/** Calls of one answer that run under stop conditions. */
const callsOfStepMax = 128;

/** The loop of server tools so far. */
export interface LoopSoFar {
  /** Turns of the model that called server tools. */
  readonly steps: number;
  /** Calls that were executed. */
  readonly calls: number;
  /** The names of all called tools: as the model calls them, and their kinds. */
  readonly called: ReadonlySet<string>;
  readonly usage: UsageReport;
  /** The end of the last answer. */
  readonly last: Extract<LastPart, { type: 'finish' }>;
}

/** Returns how many calls of the next answer may run. */
export function callsLeft(limits: LoopLimits, callsSoFar: number): number {
  if (limits.stopWhen) return callsOfStepMax;
  return Math.max(0, (limits.callsMax ?? callsMax) - callsSoFar);
}

/** Returns true if the next turn is the last one: the model may not call tools in it. */
export function isLoopOver(limits: LoopLimits, soFar: LoopSoFar): boolean {
  const { stopWhen } = limits;
  if (!stopWhen) return callsLeft(limits, soFar.calls) === 0;
  return soFar.steps >= stepLimit(stopWhen) || stopWhen.some((one) => fires(one, soFar));
}

function stepLimit(conditions: readonly StopCondition[]): number {
  const named = conditions.flatMap((one) => (one.type === 'step_count_is' ? one.step_count : []));
  return Math.min(stepsMax, Math.max(stepsUsual, ...named));
}

function fires(condition: StopCondition, { steps, called, usage, last }: LoopSoFar): boolean {
  switch (condition.type) {
    case 'step_count_is':
      return steps >= condition.step_count;
    case 'has_tool_call':
      return called.has(condition.tool_name);
    case 'max_tokens_used':
      return usage.tokens.inputTokens + usage.tokens.outputTokens > condition.max_tokens;
    case 'max_cost':
      return nanoUsdToNumber(usage.costNanoUsd) > condition.max_cost_in_dollars;
    case 'finish_reason_is':
      return [last.nativeReason, last.reason.replace('-', '_')].includes(condition.reason);
  }
}
