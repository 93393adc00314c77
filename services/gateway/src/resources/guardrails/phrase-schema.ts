import { Type } from 'typebox';
import { closed } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

const phrasesMax = 200;
const phraseCharactersMax = 1_000;
const shown = {
  description: 'Texts that the patterns of prompt injection pass over.',
  examples: [['act as a reviewer']],
};

export const allowedPhrasesBody = Type.Object(
  {
    phrases: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: phraseCharactersMax,
        mustBe: `a text of 1 to ${phraseCharactersMax} bytes`,
      }),
      { ...shown, maxItems: phrasesMax, mustBe: `at most ${phrasesMax} phrases` },
    ),
  },
  closed,
);
export const allowedPhrasesView = Type.Object({ phrases: Type.Array(Type.String(), shown) });
export const allowedPhrasesReply = reply(allowedPhrasesView);
