import { Type } from 'typebox';

const optionalText = Type.Optional(Type.String());

const priceNames = [
  'request',
  'image',
  'image_token',
  'image_output',
  'audio',
  'audio_output',
  'input_audio_cache',
  'web_search',
  'internal_reasoning',
  'input_cache_read',
  'input_cache_write',
  'input_cache_write_1h',
] as const;
/** In the place of prices, where all of an entry's conditions are met. */
const override = Type.Object({
  min_prompt_tokens: Type.Optional(Type.Integer({ description: 'exceeded' })),
  utc_start: Type.Optional(Type.String({ description: 'HHMM', examples: ['0030'] })),
  utc_end: Type.Optional(Type.String({ description: 'HHMM, not included', examples: ['1630'] })),
  utc_days: Type.Optional(Type.Array(Type.Integer({ description: '0 for Sunday' }))),
  ...Object.fromEntries(
    [
      'prompt',
      'completion',
      'audio',
      'input_audio_cache',
      'input_cache_read',
      'input_cache_write',
      'input_cache_write_1h',
    ].map((price) => [price, optionalText]),
  ),
});
/** USD as decimal text: per token, request, picture or search. */
export const pricing = Type.Object({
  prompt: Type.String(),
  completion: Type.String(),
  ...Object.fromEntries(priceNames.map((price) => [price, optionalText])),
  discount: Type.Optional(Type.Number()),
  overrides: Type.Optional(Type.Array(override)),
});
