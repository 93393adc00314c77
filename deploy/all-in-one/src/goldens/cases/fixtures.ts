import { type Case, dialects } from '../testing/case.ts';
import { fixtureNames, saysOrEnds } from '../testing/upstream.ts';

const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
};

/** Each recorded answer of each dialect, streamed and whole. */
export const fixtures: readonly Case[] = dialects.flatMap((dialect) =>
  fixtureNames(dialect).map((name) => ({
    name: `${dialect}/fixtures/${name}`,
    body: {
      input: 'hi',
      max_output_tokens: 1_000,
      include: ['reasoning.encrypted_content'],
      tools: [weather],
    },
    models: { m: { endpoints: [{ dialect, answer: saysOrEnds(dialect, name) }] } },
  })),
);
