import type { InferenceRequest, ModelOptions, ReasoningEffort } from '@sluice/inference';
import { effortOfBudget, effortShares } from '../reasoning-effort.ts';
import type { Endpoint } from '../endpoint.ts';
import { claudeAbilities } from './claude-version.ts';
import type { Message } from './messages.ts';

export const budgetMin = 1_024;
const budgetMax = 128_000;

interface Thinking {
  readonly config: object;
  readonly effort?: WireEffort;
}

/** Returns the thinking settings of a request, or undefined if the model should not or cannot think. */
export function thinkingOf(
  { upstreamModel }: Pick<Endpoint, 'upstreamModel'>,
  request: InferenceRequest,
  { messages, maxTokens }: { readonly messages: readonly Message[]; readonly maxTokens: number },
): Thinking | undefined {
  const { thinksAdaptively, takesSampling } = claudeAbilities(upstreamModel);
  if (!thinksAdaptively) {
    const budget = mayThink(messages) ? thinkingBudget(request, maxTokens) : undefined;
    return budget === undefined
      ? undefined
      : { config: { type: 'enabled', budget_tokens: budget } };
  }
  const effort = thinkingEffort(request, maxTokens);
  if (effort === undefined) return undefined;
  const display = request.options?.reasoning?.isHidden ? 'omitted' : 'summarized';
  // The first adaptive models always show their thoughts.
  const config = { type: 'adaptive', ...(!takesSampling && { display }) };
  return effort === 'own' ? { config } : { config, effort: knownEffort(upstreamModel, effort) };
}

/**
 * Returns the effort of a model that does not think, or undefined if the model takes none. Its effort is how many
 * tokens it spends on texts and calls: the verbosity of other providers.
 */
export function effortOfVerbosity(
  { upstreamModel }: Pick<Endpoint, 'upstreamModel'>,
  { verbosity }: ModelOptions,
): WireEffort | undefined {
  if (verbosity === undefined || !claudeAbilities(upstreamModel).thinksAdaptively) return undefined;
  return knownEffort(upstreamModel, verbosity);
}

/** The first adaptive models lack the effort `xhigh`. */
function knownEffort(model: string, effort: WireEffort): WireEffort {
  return effort === 'xhigh' && claudeAbilities(model).takesSampling ? 'max' : effort;
}

/**
 * Returns the thinking budget in tokens, or undefined if the model should not think. Thinking counts as output, so
 * the output limit must have room for the smallest budget and an answer. A request that forces a tool gets none.
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

/**
 * Returns the effort for a model that thinks adaptively; `own`: that which the model has by itself. Returns undefined
 * if it should not think. Such a model takes no budget, so an effort beside one wins (contract inference.md 2.5).
 */
export function thinkingEffort(
  { options = {}, toolChoice }: Pick<InferenceRequest, 'options' | 'toolChoice'>,
  maxTokens: number,
): WireEffort | 'own' | undefined {
  const { reasoning } = options;
  if (!reasoning || reasoning.isEnabled === false || isForced(toolChoice)) return undefined;
  const { tokensMax, effort, isAdaptive = false } = reasoning;
  if (tokensMax === 0) return undefined;
  if (effort !== undefined) return wireEfforts[effort];
  if (tokensMax !== undefined) return wireEfforts[effortOfBudget(tokensMax, maxTokens)];
  return isAdaptive ? 'own' : 'medium';
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
 * Returns false in the middle of a turn that began without thoughts, or whose thoughts were not replayed. The model
 * cannot begin to think there.
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
