import type { Rejection } from '@sluice/errors';
import type { InferenceRequest, ModelOptions } from '@sluice/inference';
import type { Model } from '@sluice/catalog';
import type { CanonicalCall } from '../request/call.ts';
import { responsesWords } from '../request/field-words.ts';
import type { Candidate } from './candidate.ts';
import { invalid } from './unavailable.ts';

/** The words in which a call asks for no thoughts, and how much it insists. */
type Insisting = Pick<
  CanonicalCall,
  'inference' | 'unsupportedMode' | 'settingsAreWishes' | 'words'
>;
type WithOptions = Pick<InferenceRequest, 'options'>;

/** The refusal of a request that wants no thoughts of models that cannot do without; undefined: it is none. */
export function thoughtsRefused(
  candidates: readonly Candidate[],
  { inference, unsupportedMode, settingsAreWishes, words = responsesWords }: Insisting,
): Rejection | undefined {
  const field = unthinking(inference.options);
  if (field === undefined || (settingsAreWishes && unsupportedMode === 'lenient')) return undefined;
  const always = candidates.find(({ model }) => model.reasoning?.isMandatory === true);
  if (!always || !candidates.every(({ model }) => model.reasoning?.isMandatory)) return undefined;
  return invalid(words[field], `${always.model.id} always thinks`);
}

/** Returns a warning that no endpoint of a plan can do without thoughts. Absent: they are wanted, or one can. */
export function thoughtsWarning(
  { inference, words = responsesWords }: Pick<CanonicalCall, 'inference' | 'words'>,
  attempts: readonly Pick<Candidate, 'model'>[],
): string | undefined {
  const field = unthinking(inference.options);
  if (field === undefined) return undefined;
  if (!attempts.every(({ model }) => model.reasoning?.isMandatory)) return undefined;
  return `${words[field]} without effect: the model always thinks`;
}

/**
 * The same request with as few thoughts as there can be, where it wants none of a model that cannot do without:
 * one behind an alias, one that others fall back to, or any for a call that tolerates it.
 */
export function withMandatoryThoughts<Request extends WithOptions>(
  { reasoning: ability }: Pick<Model, 'reasoning'>,
  request: Request,
): Request {
  if (ability?.isMandatory !== true || unthinking(request.options) === undefined) return request;
  const summary = request.options?.reasoning?.summary;
  const reasoning = { effort: 'minimal', ...(summary && { summary }) } as const;
  return { ...request, options: { ...request.options, reasoning } };
}

/** Returns the field that wants no thoughts; undefined: none does. */
function unthinking(
  options: ModelOptions | undefined,
): 'effort' | 'thinkingSwitch' | 'thinkingBudget' | undefined {
  const { effort, isEnabled, tokensMax } = options?.reasoning ?? {};
  if (effort === 'none') return 'effort';
  if (isEnabled === false) return 'thinkingSwitch';
  return tokensMax === 0 ? 'thinkingBudget' : undefined;
}
