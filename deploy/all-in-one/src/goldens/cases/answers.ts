import { type Case, dialects } from '../testing/case.ts';
import { bodies, one, weather } from './words.ts';

/** Answers that a prompt asks the simulator for. */
const behaviors = {
  thinks: '[sim:reasoning] hello there',
  declines: '[sim:refuse] hello',
  'is filtered': '[sim:filter] hello',
  'says nothing': '[sim:empty] hello',
  'is no answer': '[sim:malformed] hello',
  'reads its cache': '[sim:cached-5] hello to the whole wide world',
  'tells no usage': '[sim:no-usage] hello',
  'tells negative usage': '[sim:negative-usage] hello',
  'tells absurd usage': '[sim:absurd-usage] hello',
  'tells garbled usage': '[sim:garbled-usage] hello',
  'breaks before a word': '[sim:fail-0] one two three',
  'breaks after two words': '[sim:fail-2] one two three',
  'is cut before a word': '[sim:cut-0] one two three',
  'is cut after two words': '[sim:cut-2] one two three',
};
const asked = (input: string) => ({ input, max_output_tokens: 1_000 });

/** Streamed and whole. */
export const answers: readonly Case[] = dialects.flatMap((dialect) => [
  ...bodies(
    `${dialect}/answers`,
    Object.fromEntries(Object.entries(behaviors).map(([name, said]) => [name, asked(said)])),
    { models: one(dialect) },
  ),
  ...bodies(
    `${dialect}/answers`,
    {
      'calls a tool after thoughts': {
        ...asked('[sim:reasoning] call get_weather'),
        tools: [weather],
        include: ['reasoning.encrypted_content'],
      },
      'is in another tier': { ...asked('[sim:usual-tier] hello'), service_tier: 'priority' },
      'is limited by the context': { input: 'hello' },
    },
    { models: one(dialect) },
  ),
  ...bodies(
    `${dialect}/statuses`,
    Object.fromEntries(
      [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529].map((status) => [
        String(status),
        asked(`[sim:error-${String(status)}] hello`),
      ]),
    ),
    { models: one(dialect), headers: { 'x-service-metadata': 'enabled' } },
  ),
]);
