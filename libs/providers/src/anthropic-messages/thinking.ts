import type { InferenceRequest, ReasoningEffort } from '@sluice/inference';

/** What of the output each effort may think, as the contract has it. */
const shares: Readonly<Record<ReasoningEffort, number>> = {
  max: 0.95,
  xhigh: 0.95,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.1,
  none: 0,
};
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
    reasoning.tokensMax ?? Math.floor(shares[reasoning.effort ?? 'medium'] * maxTokens);
  if (wanted === 0 || maxTokens <= budgetMin) return undefined;
  return Math.min(Math.max(wanted, budgetMin), budgetMax, maxTokens - 1);
}

function isForced(choice: InferenceRequest['toolChoice']): boolean {
  return (
    choice.type === 'required' ||
    choice.type === 'function' ||
    choice.type === 'custom' ||
    (choice.type === 'allowed' && choice.mode === 'required')
  );
}
