import fc from 'fast-check';
import { type Conversation, everywhere, type Turns } from './forms.ts';
import { oneTool, system } from './settings.ts';
import { answers, calls } from './tool-turns.ts';

/** Some providers refuse texts that are blank or end with a blank. */
const text = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).map((some) => `${some}.`);
const input = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
});
const output = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
);

type Step =
  | { readonly asks: string }
  | { readonly answers: string }
  | {
      readonly word: string | undefined;
      readonly calls: readonly { readonly input: object; readonly output: string }[];
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ asks: text }),
  fc.record({ answers: text }),
  fc.record({
    word: fc.option(text, { nil: undefined }),
    calls: fc.array(fc.record({ input, output }), { minLength: 1, maxLength: 3 }),
  }),
);

/** Any conversation of texts and answered calls, which a user begins and ends. */
export const anyConversation: fc.Arbitrary<Conversation> = fc
  .array(step, { maxLength: 6 })
  .map((steps) => ({
    name: 'any',
    turns: [user('begin'), ...steps.flatMap(turnsOf), user('end')],
    settings: [system, oneTool],
  }));

const user = (content: string): Turns => everywhere([{ role: 'user', content }]);

function turnsOf(taken: Step, place: number): readonly Turns[] {
  if ('asks' in taken) return [user(taken.asks)];
  if ('answers' in taken) return [everywhere([{ role: 'assistant', content: taken.answers }])];
  const made = taken.calls.map((call, index) => ({ ...call, id: `call_${place}_${index}` }));
  return [
    calls(taken.word, ...made),
    answers(Object.fromEntries(made.map(({ id, output: said }) => [id, said]))),
  ];
}
