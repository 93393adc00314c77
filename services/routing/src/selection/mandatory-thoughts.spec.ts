import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ReasoningOptions } from '@sluice/inference';
import { describe, test } from 'vitest';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { chatWords, messagesWords } from '../dialects/field-words.ts';
import { responsesWords } from '../request/field-words.ts';
import { thoughtsRefused, withMandatoryThoughts } from './mandatory-thoughts.ts';

const ability = {
  isMandatory: true,
  efforts: undefined,
  defaultEffort: undefined,
  isDefaultOn: true,
  takesBudget: false,
};
const thinker = sampleModel('a/thinker', { reasoning: ability });
const other = sampleModel('a/other', { reasoning: { ...ability, isMandatory: false } });
const of = (model: typeof thinker) => ({ model, endpoint: sampleEndpoint(model.id, 'openai') });
const asking = (reasoning: ReasoningOptions) => ({ options: { topK: 1, reasoning } });
const thoughtless: readonly (readonly [
  'effort' | 'thinkingSwitch' | 'thinkingBudget',
  ReasoningOptions,
])[] = [
  ['effort', { effort: 'none' }],
  ['thinkingSwitch', { isEnabled: false }],
  ['thinkingBudget', { tokensMax: 0 }],
];
const doors = [responsesWords, chatWords, messagesWords];

describe('no thoughts', () => {
  test('are refused of models that always think, where they are named', () => {
    for (const [, reasoning] of thoughtless)
      ok(!thoughtsRefused([of(thinker), of(other)], asking(reasoning), responsesWords));
    ok(!thoughtsRefused([of(thinker)], asking({ effort: 'minimal' }), responsesWords));
    ok(!thoughtsRefused([of(thinker)], {}, responsesWords));
  });

  test.each(doors)('are refused in the words of $route', (words) => {
    for (const [field, reasoning] of thoughtless) {
      const refusal = thoughtsRefused([of(thinker)], asking(reasoning), words);
      equal(refusal?.message, `Invalid request: ${words[field]}: a/thinker always thinks`);
    }
  });

  test('are as few as there can be, where such a model stands behind another name', () => {
    for (const [, reasoning] of thoughtless) {
      deepEqual(withMandatoryThoughts(thinker, asking(reasoning)), asking({ effort: 'minimal' }));
      deepEqual(withMandatoryThoughts(other, asking(reasoning)), asking(reasoning));
    }
    const summed = asking({ effort: 'none', summary: 'auto' });
    deepEqual(
      withMandatoryThoughts(thinker, summed),
      asking({ effort: 'minimal', summary: 'auto' }),
    );
    const wanted = asking({ effort: 'high' });
    equal(withMandatoryThoughts(thinker, wanted), wanted);
  });
});
