import { catalogCategories, catalogSorts, modelParameters } from '@sluice/inference-port';
import { Type } from 'typebox';
import { closed, oneOf, optional, text as shown, truth } from '../../http/schemas/fields.ts';
import { offset } from '../../http/schemas/page.ts';

// Query values are text: nothing is coerced. Routing reads them.

const text = (mustBe: string, description: string, ...examples: readonly string[]) =>
  Type.String({ ...shown(description, ...examples), minLength: 1, maxLength: 2_048, mustBe });
const quantity = (pattern: string) => (mustBe: string) => (description: string, example: number) =>
  Type.String({ pattern, mustBe, description, examples: [example] });
const number = quantity('^\\d{1,15}(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,2})?$');
const usd = number('a number of USD per million tokens');
const index = number('a number from 0 on');
const days = quantity('^\\d{1,9}$')('a whole number of days');
const tokens = quantity('^[1-9]\\d{0,8}$')('a whole number of tokens from 1 on');
const share = quantity('^(?:0(?:\\.\\d{1,18})?|1(?:\\.0{1,18})?)$')('a number from 0 to 1');
const limit = quantity('^(?:[1-9]\\d{0,2}|1000)$')(
  'a whole number from 1 to 1000; 500 when only the offset is given',
);
const listOf = (values: readonly string[], description: string, example: string) => {
  const one = `(?:${values.join('|')})`;
  const list = `a list, separated by commas, of ${values.join(', ')}`;
  return Type.String({
    pattern: `^${one}(?:,${one})*$`,
    maxLength: 2_048,
    mustBe: list,
    description: `${description}: ${list}.`,
    examples: [example],
  });
};

const outputModalities = optional({
  output_modalities: listOf(
    [
      'text',
      'image',
      'embeddings',
      'audio',
      'video',
      'rerank',
      'speech',
      'transcription',
      'decisions',
      'all',
    ],
    'What the model writes',
    'text',
  ),
});
const page = {
  offset,
  limit: Type.Optional(limit('How many to list; 500 when only the offset is given.', 25)),
};

export const pageQuery = Type.Object(page, closed);
export const countQuery = Type.Object(outputModalities, closed);
export const modelsQuery = Type.Object(
  {
    ...page,
    ...outputModalities,
    ...optional({
      q: text('words of the name or the slug', 'Words of the name or the slug.', 'echo'),
      category: oneOf([...catalogCategories], 'What the model is used for.'),
      supported_parameters: listOf(modelParameters, 'Parameters that it takes', 'temperature'),
      input_modalities: listOf(['text', 'image', 'audio', 'file'], 'What it reads', 'text'),
      sort: oneOf([...catalogSorts], 'The order of the list.', 'newest'),
      context: tokens('The least context, in tokens.', 32_000),
      min_price: usd('The lowest price of a million tokens of input, in USD.', 0),
      max_price: usd('The highest price of a million tokens of input, in USD.', 5),
      min_output_price: usd('The lowest price of a million tokens of output, in USD.', 0),
      max_output_price: usd('The highest price of a million tokens of output, in USD.', 10),
      arch: text('a family of models', 'A family of models.', 'GPT'),
      model_authors: text(
        'a list of authors, separated by commas',
        'Authors, separated by commas.',
        'openai,anthropic',
      ),
      providers: text(
        'a list of providers, separated by commas',
        'Providers, separated by commas.',
        'openai,azure',
      ),
      distillable: truth('Whether others may learn from its answers.'),
      zdr: oneOf(['true'], 'Whether an endpoint must retain nothing.'),
      region: oneOf(['eu', 'us'], 'Where it must be served.'),
      min_age_days: days('The lowest age, in days.', 0),
      max_age_days: days('The highest age, in days.', 365),
      min_intelligence_index: index('The lowest index of intelligence.', 10),
      max_intelligence_index: index('The highest index of intelligence.', 90),
      min_coding_index: index('The lowest index of programming.', 10),
      max_coding_index: index('The highest index of programming.', 90),
      min_agentic_index: index('The lowest index of agents.', 10),
      max_agentic_index: index('The highest index of agents.', 90),
      min_tool_success_rate: share('The lowest share of tool calls that succeed.', 0.5),
      max_tool_success_rate: share('The highest share of tool calls that succeed.', 1),
      after_id: text(
        'with `anthropic-version`: the models after this one',
        'With `anthropic-version`: the models after this one.',
        'sim/echo',
      ),
      before_id: text(
        'with `anthropic-version`: the models before this one',
        'With `anthropic-version`: the models before this one.',
        'sim/echo',
      ),
      use_rss: text(
        'anything but false: the answer is an RSS feed',
        'Anything but false: the answer is an RSS feed.',
        'true',
      ),
      use_rss_chat_links: text(
        'the same',
        'Anything but false: links of the feed lead to chats.',
        'true',
      ),
    }),
  },
  closed,
);

// A longer name belongs to no model: 404.
export const modelPath = Type.Object({
  author: shown('Who made the model.', 'sim'),
  slug: shown('The name there, with or without a variant.', 'echo'),
});
export const modelName = Type.Object({
  model: shown('A whole slug or an alias. Its `/` is written as %2F.', 'sim/echo'),
});
