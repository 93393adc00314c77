import { deepEqual, equal, ok } from 'node:assert/strict';
import type { ReasoningOptions } from '@sluice/inference';
import { describe, test } from 'vitest';
import { sampleEndpoint, sampleModel } from '@sluice/catalog/testing';
import { chatWords, messagesWords } from '../dialects/field-words.ts';
import { responsesWords } from '../request/field-words.ts';
import { textRequest } from '../testing/text-request.ts';
import { thoughtsRefused, thoughtsWarning, withMandatoryThoughts } from './mandatory-thoughts.ts';

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

const calling = (reasoning?: ReasoningOptions, words = responsesWords) =>
  ({
    inference: { ...textRequest('x'), ...(reasoning && asking(reasoning)) },
    unsupportedMode: 'lenient',
    words,
  }) as const;

describe('no thoughts', () => {
  test('are refused of models that always think, where they are named', () => {
    for (const [, reasoning] of thoughtless)
      ok(!thoughtsRefused([of(thinker), of(other)], calling(reasoning)));
    ok(!thoughtsRefused([of(thinker)], calling({ effort: 'minimal' })));
    ok(!thoughtsRefused([of(thinker)], calling()));
  });

  test.each(doors)('are refused in the words of $route', (words) => {
    for (const [field, reasoning] of thoughtless) {
      const refusal = thoughtsRefused([of(thinker)], calling(reasoning, words));
      equal(refusal?.message, `Invalid request: ${words[field]}: a/thinker always thinks`);
    }
  });

  test('are a wish of a client that tolerates them, unless it is strict', () => {
    const wish = { ...calling({ isEnabled: false }), settingsAreWishes: true } as const;
    ok(!thoughtsRefused([of(thinker)], wish));
    ok(thoughtsRefused([of(thinker)], { ...wish, unsupportedMode: 'strict' }));
  });

  test('that no endpoint can do are a warning', () => {
    const warning = (models: readonly (typeof thinker)[], reasoning?: ReasoningOptions) =>
      thoughtsWarning(calling(reasoning, messagesWords), models.map(of));
    const told = 'thinking.type without effect: the model always thinks';
    equal(warning([thinker, thinker], { isEnabled: false }), told);
    equal(warning([thinker, other], { isEnabled: false }), undefined);
    equal(warning([thinker], { isEnabled: true }), undefined);
    equal(warning([thinker]), undefined);
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
