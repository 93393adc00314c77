import { deepEqual, equal } from 'node:assert/strict';
import type { InferenceRequest } from '@sluice/inference';
import { describe, test } from 'vitest';
import { textRequest } from '../testing/text-request.ts';
import { runStages } from './run-stages.ts';
import type { Stage, StageContext } from './stage.ts';

const context = { call: {}, policy: {} } as StageContext;
const request = textRequest('hello');
const saying = (word: string): Stage => ({
  name: word,
  run: async (before) => ({
    request: { ...before, items: [...before.items, ...textRequest(word).items] },
    reports: [{ type: 'plugin', name: word, summary: `said ${word}` }],
  }),
});
const blocking: Stage = {
  name: 'blocking',
  run: async () => ({ rejected: 'content_policy_violation', message: 'blocked' }),
};
const said = ({ items }: InferenceRequest) =>
  items.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => part.type === 'text' && part.text) : [],
  );

describe('stages', () => {
  test('run in their order, each on the request of the one before', async () => {
    const all = [saying('a'), saying('b')];
    const staged = await runStages(all, request, context);
    if ('rejected' in staged) throw new Error(staged.message);
    deepEqual(said(staged.request), ['hello', 'a', 'b']);
    deepEqual(
      staged.reports.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  test('end with the first rejection', async () => {
    const staged = await runStages([blocking, saying('a')], request, context);
    equal('rejected' in staged && staged.message, 'blocked');
  });

  test('leave a request as it is where there are none', async () => {
    const staged = await runStages([], request, context);
    equal('request' in staged && staged.request, request);
  });
});
