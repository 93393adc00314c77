import { rerankBody } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import { count, text } from '../../http/schemas/fields.ts';
import { inferenceCost } from '../embeddings/schema.ts';

/** The body that routing validates, with an example. */
export const rerankRequest = {
  ...rerankBody,
  examples: [
    {
      model: 'sim/rerank',
      query: 'When does the ferry leave?',
      documents: ['Bread is baked at five.', 'The ferry leaves at nine.'],
      top_n: 1,
    },
  ],
};

const document = Type.Object(
  {
    text: Type.Optional(text('The text of the document.', 'The ferry leaves at nine.')),
    image: Type.Optional(text('Address of the picture.', 'https://example.com/ferry.png')),
  },
  { description: 'The document as it was sent.' },
);

const rank = Type.Object({
  index: count('The place of the document in the request, from 0.', 1),
  relevance_score: Type.Number({
    description: 'The relevance of the document. Scores of different models cannot be compared.',
    examples: [0.75],
  }),
  document,
});

export const rankedDocuments = Type.Object({
  id: text('Id of the generation.', uuid),
  model: text('Slug of the model.', 'sim/rerank'),
  provider: Type.Union([text('The provider that ranked them.', 'Simulator'), Type.Null()], {
    description: 'The provider that ranked them. null: none did.',
  }),
  results: Type.Array(rank, { description: 'The documents, the most relevant first.' }),
  usage: Type.Object(
    {
      total_tokens: count('Number of tokens. 0: the provider counts search units alone.', 36),
      search_units: count('Search units: a hundred documents, long ones in chunks.', 1),
      ...inferenceCost,
    },
    { description: 'What was used.' },
  ),
});
