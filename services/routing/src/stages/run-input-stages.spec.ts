import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { CanonicalCall } from '../request/call.ts';
import { textCall } from '../testing/text-call.ts';
import { textRequest } from '../testing/text-request.ts';
import { runInputStages } from './run-input-stages.ts';
import type { InputStage, StageContext } from './stage.ts';

const context = {} as StageContext;
const call = textCall('hello');
const saying = (word: string): InputStage => ({
  at: 'input',
  name: word,
  run: async ({ inference, ...others }) => ({
    call: {
      ...others,
      inference: { ...inference, items: [...inference.items, ...textRequest(word).items] },
    },
    reports: [{ type: 'plugin', name: word, summary: `said ${word}` }],
  }),
});
const blocking: InputStage = {
  at: 'input',
  name: 'blocking',
  run: async () => ({ rejected: 'content_policy_violation', message: 'blocked' }),
};
const said = ({ inference: { items } }: CanonicalCall) =>
  items.flatMap((item) =>
    item.type === 'message' ? item.content.map((part) => part.type === 'text' && part.text) : [],
  );

describe('stages', () => {
  test('run in their order, each on the request of the one before', async () => {
    const all = [saying('a'), saying('b')];
    const staged = await runInputStages(all, call, context);
    if ('rejected' in staged) throw new Error(staged.message);
    deepEqual(said(staged.call), ['hello', 'a', 'b']);
    deepEqual(
      staged.reports.map(({ name }) => name),
      ['a', 'b'],
    );
  });

  test('end with the first rejection', async () => {
    const staged = await runInputStages([blocking, saying('a')], call, context);
    equal('rejected' in staged && staged.message, 'blocked');
  });

  test('leave a call as it is where there are none', async () => {
    const staged = await runInputStages([], call, context);
    equal('call' in staged && staged.call, call);
  });
});
