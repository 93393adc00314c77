import type { InputModality, Model, Quantization, ReasoningAbility } from '../catalog.ts';
import type { parameterNames } from '../rows.ts';

/** The parameters that an endpoint takes, by the names of the lists. */
export type Parameters = readonly (typeof parameterNames)[number][];

/** Models of one provider that are alike. What the price list says of them is not said again. */
export interface Family {
  /** The name in the price list, or a pattern of all of such a name. */
  readonly names: RegExp | string;
  /** Returns the id of the model, with its author. */
  readonly id: (name: string) => string;
  /** Returns the provider's name of the model, if it differs from that of the price list. */
  readonly upstream?: (name: string) => string;
  readonly facts: FamilyFacts;
}

export interface FamilyFacts extends Partial<Pick<Model, 'isReasoning' | 'outputTokensMax'>> {
  readonly parameters: Parameters;
  /** The reasoning of a model whose name does not decide it. */
  readonly reasoning?: ReasoningAbility | ((name: string) => ReasoningAbility | undefined);
  /** Text alone when absent. */
  readonly inputModalities?: readonly InputModality[];
  /** Tokens, where the price list does not say. */
  readonly contextLength?: number;
  readonly quantization?: Quantization;
  /** The days on which models came out, by their names. */
  readonly released?: Readonly<Record<string, string>>;
}

/** The name behind the author: `of('openai')('gpt-5')` is `openai/gpt-5`. */
export const of =
  (author: string) =>
  (name: string): string =>
    `${author}/${name}`;

export const tools: Parameters = ['tools', 'tool_choice', 'parallel_tool_calls'];
export const formats: Parameters = ['response_format', 'structured_outputs'];
export const sampling: Parameters = ['temperature', 'top_p'];

/** It thinks before each answer, at an effort if there are any. */
export function alwaysThinking(
  efforts: ReasoningAbility['efforts'],
  defaultEffort?: ReasoningAbility['defaultEffort'],
): ReasoningAbility {
  return { isMandatory: true, efforts, defaultEffort, isDefaultOn: true, takesBudget: false };
}

/** It thinks at an effort, of which one is none. */
export function thinking(
  efforts: ReasoningAbility['efforts'],
  defaultEffort: ReasoningAbility['defaultEffort'],
): ReasoningAbility {
  const isDefaultOn = defaultEffort !== 'none';
  return { isMandatory: false, efforts, defaultEffort, isDefaultOn, takesBudget: false };
}
