import { Type } from 'typebox';
import { number, text } from '../../http/schemas/fields.ts';

const price = (of: string) => text(`Price of ${of}, in USD, as decimal text.`, '0.000001');
const prompt = price('a token of input');
const completion = price('a token of output');
const image = {
  request: price('a request'),
  image: price('an image of input'),
  image_token: price('a token of an image'),
  image_output: price('an image of output'),
};
const audio = price('a token of audio');
const cachedAudio = price('a cached token of audio');
const cached = {
  input_cache_read: price('an input token read from the cache'),
  input_cache_write: price('an input token written to the cache'),
  input_cache_write_1h: price('an input token written to the cache for an hour'),
};

const days = Type.Array(Type.Integer({ description: '0 for Sunday' }), {
  description: 'Days of the week on which the price holds; 0 is Sunday.',
  examples: [[0, 6]],
});
/** Replaces prices where all conditions of the entry are met. */
const override = Type.Partial(
  Type.Object({
    min_prompt_tokens: Type.Integer({
      description: 'The price holds above this number of input tokens.',
      examples: [200_000],
    }),
    utc_start: text('Start of the time of day in UTC, as HHMM.', '0030'),
    utc_end: text('End of the time of day in UTC, as HHMM, not included.', '1630'),
    utc_days: days,
    prompt,
    completion,
    audio,
    input_audio_cache: cachedAudio,
    ...cached,
  }),
);
/** USD as decimal text: per token, request, picture or search. */
export const pricing = Type.Object(
  {
    prompt,
    completion,
    ...Type.Partial(
      Type.Object({
        ...image,
        audio,
        audio_output: price('a token of spoken output'),
        input_audio_cache: cachedAudio,
        web_search: price('a search of the web'),
        search_unit: price('a search unit of a reranker'),
        internal_reasoning: price('a token of thoughts'),
        ...cached,
        discount: number('The share that is taken off.'),
        overrides: Type.Array(override, {
          description: 'Other prices at certain times or sizes.',
        }),
      }),
    ).properties,
  },
  { description: 'What it costs.' },
);
