import type { Answer, Case, Dialect, Model } from '../testing/case.ts';

/** A model with one endpoint, which the simulator answers for unless `answer` does. */
export const one = (dialect: Dialect, answer?: Answer): Readonly<Record<string, Model>> => ({
  m: { endpoints: [answer ? { dialect, answer } : { dialect }] },
});

export const user = (content: unknown) => ({ role: 'user', content });
export const assistant = (content: unknown) => ({ role: 'assistant', content });
export const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'get_weather',
  arguments: '{"city":"x"}',
});
export const output = (id: string, said: unknown = 'sunny') => ({
  type: 'function_call_output',
  call_id: id,
  output: said,
});
export const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', minLength: 1 } },
    required: ['city'],
  },
};
export const clock = { type: 'function', name: 'get_time', parameters: null };
export const sql = { type: 'custom', name: 'sql', description: 'd' };
export const tools = [weather, clock, sql];
export const picture = { type: 'input_image', image_url: 'data:image/png;base64,aGk=' };

/** Cases of a folder: a table of names and what is sent. */
export const table = (
  folder: string,
  rows: Readonly<Record<string, Partial<Case> & Pick<Case, 'body'>>>,
  common: Partial<Case> = {},
): readonly Case[] =>
  Object.entries(rows).map(([name, row]) => ({
    ...common,
    ...row,
    name: `${folder}/${name.replaceAll(' ', '-')}`,
  }));

/** The same, where only the body differs. */
export const bodies = (
  folder: string,
  rows: Readonly<Record<string, Case['body']>>,
  common: Partial<Case> = {},
): readonly Case[] =>
  table(
    folder,
    Object.fromEntries(Object.entries(rows).map(([name, body]) => [name, { body }])),
    common,
  );

/** The plugin that keeps a conversation whole. */
export const whole = { id: 'context-compression', enabled: false };
