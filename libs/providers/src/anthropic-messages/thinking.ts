import type { InferenceRequest, ReasoningEffort } from '@sluice/inference';
import { effortOfBudget, effortShares } from '../reasoning-effort.ts';
import type { Message } from './messages.ts';

const budgetMin = 1_024;
const budgetMax = 128_000;

/**
 * How many tokens a model that takes budgets may think; undefined: it is not to. Thinking is part of the
 * output: there must be room for the smallest budget and an answer. A tool cannot be forced meanwhile.
 */
export function thinkingBudget(
  { options = {}, toolChoice }: Pick<InferenceRequest, 'options' | 'toolChoice'>,
  maxTokens: number,
): number | undefined {
  const { reasoning } = options;
  if (!reasoning || reasoning.isEnabled === false || isForced(toolChoice)) return undefined;
  const wanted =
    reasoning.tokensMax ?? Math.floor(effortShares[reasoning.effort ?? 'medium'] * maxTokens);
  if (wanted === 0 || maxTokens <= budgetMin) return undefined;
  return Math.min(Math.max(wanted, budgetMin), budgetMax, maxTokens - 1);
}

/** How hard a model that decides itself is to think; undefined: it is not to. */
export function thinkingEffort(
  { options = {}, toolChoice }: Pick<InferenceRequest, 'options' | 'toolChoice'>,
  maxTokens: number,
): WireEffort | undefined {
  const { reasoning } = options;
  if (!reasoning || reasoning.isEnabled === false || isForced(toolChoice)) return undefined;
  const { tokensMax, effort = 'medium' } = reasoning;
  if (tokensMax === 0) return undefined;
  return wireEfforts[tokensMax === undefined ? effort : effortOfBudget(tokensMax, maxTokens)];
}

export type WireEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

const wireEfforts: Readonly<Record<ReasoningEffort, WireEffort | undefined>> = {
  max: 'max',
  xhigh: 'xhigh',
  high: 'high',
  medium: 'medium',
  low: 'low',
  minimal: 'low',
  none: undefined,
};

/**
 * False where the model is in the middle of a turn that began without thoughts, or whose thoughts did not come
 * back: it cannot begin to think there.
 */
export function mayThink(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  const isAnswered = last?.content.some(({ type }) => type === 'tool_result') ?? false;
  const turn = isAnswered ? messages.at(-2) : last;
  if (turn?.role !== 'assistant') return true;
  const first = turn.content[0]?.type;
  return first === 'thinking' || first === 'redacted_thinking';
}

function isForced(choice: InferenceRequest['toolChoice']): boolean {
  return (
    choice.type === 'required' ||
    choice.type === 'function' ||
    choice.type === 'custom' ||
    (choice.type === 'allowed' && choice.mode === 'required')
  );
}
