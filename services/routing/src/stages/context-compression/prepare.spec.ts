import { deepEqual, equal, ok } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import { createWorkerPool, type WorkerPool } from '@sluice/worker-pool';
import { afterAll, describe, test } from 'vitest';
import { countItems, textTokens } from './count-items.ts';
import { prepareTexts, shrinkOutputs } from './prepare.ts';

const pool = createWorkerPool();
afterAll(() => pool.stop());
const broken: WorkerPool = { run: async () => 'broken', stop: async () => undefined };

const rows = JSON.stringify(
  Array.from({ length: 60 }, (_, id) => ({ id, name: `person ${id}`, state: 'active' })),
);
const say = (role: 'user' | 'assistant', text: string, cache?: true): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text, ...(cache && { cache: { ttl: '5m' as const } }) }],
});
const call = (callId: string): InputItem => ({
  type: 'function-call',
  callId,
  name: 'list',
  arguments: '{}',
});
const output = (callId: string, text = rows): InputItem => ({
  type: 'function-call-output',
  callId,
  output: text,
});
const step = (id: string) => [call(id), output(id)];

const options = {
  account: 'a',
  signal: new AbortController().signal,
  encodings: [],
  shrinks: true,
};

async function shrink(items: readonly InputItem[], tokensMax = 0) {
  const prepared = await prepareTexts(items, { ...options, pool });
  if (!prepared) return undefined;
  const counts = countItems(items);
  return shrinkOutputs(items, counts, { tokensMax, prepared, count: textTokens });
}

describe('outputs of tools', () => {
  const items = [say('user', 'go'), ...step('1'), ...step('2'), say('user', 'on'), ...step('3')];

  test('are shrunk, but for those of the last turn', async () => {
    const shrunk = await shrink(items);
    ok(shrunk);
    equal(shrunk.outputs, 2);
    const changed = shrunk.items.flatMap((item, place) => (item === items[place] ? [] : [place]));
    deepEqual(changed, [2, 4]);
    deepEqual(countItems(shrunk.items), shrunk.counts);
    equal(
      shrunk.tokens,
      shrunk.counts.reduce((sum, count) => sum + count, 0),
    );
  });

  test('before the last question alone are none of the last turn', async () => {
    equal(
      (await shrink([say('user', 'go'), ...step('1'), say('assistant', 'a'), say('user', 'b')]))
        ?.outputs,
      1,
    );
  });

  test('of several calls of the last answer stay', async () => {
    const parallel = [
      say('user', 'go'),
      ...step('1'),
      call('2'),
      call('3'),
      output('2'),
      output('3'),
    ];
    const shrunk = await shrink(parallel);
    deepEqual(shrunk?.items.slice(3), parallel.slice(3));
    equal(shrunk?.outputs, 1);
  });

  test('are shrunk from the oldest on, until the conversation fits', async () => {
    const tokens = countItems(items).reduce((sum, count) => sum + count, 0);
    const shrunk = await shrink(items, tokens - 1);
    deepEqual([shrunk?.outputs, shrunk?.items[4] === items[4]], [1, true]);
  });

  test('in a cached prompt stay as they are', async () => {
    const cached = [
      say('user', 'go'),
      ...step('1'),
      say('user', 'x', true),
      ...step('2'),
      ...step('3'),
    ];
    const shrunk = await shrink(cached);
    deepEqual(shrunk?.items.slice(0, 4), cached.slice(0, 4));
    equal(shrunk?.outputs, 1);
  });

  test('that are pieces keep their other pieces', async () => {
    const picture = { type: 'image', detail: 'auto', source: { type: 'id', id: 'f' } } as const;
    const pieces: InputItem = {
      type: 'function-call-output',
      callId: '1',
      output: [picture, { type: 'text', text: rows }],
    };
    const shrunk = await shrink([say('user', 'go'), call('1'), pieces, ...step('2')]);
    const item = shrunk?.items[2];
    ok(item?.type === 'function-call-output' && typeof item.output !== 'string');
    deepEqual([item.output.length, item.output[0]], [2, picture]);
  });
});

describe('tokens', () => {
  const items = [say('user', 'one two three'), ...step('1'), ...step('2')];

  test('are counted for the encodings that are asked for, and estimated for texts that come later', async () => {
    const encodings = ['o200k_base'] as const;
    const prepared = await prepareTexts(items, { ...options, pool, shrinks: false, encodings });
    const count = prepared?.countFor('o200k_base');
    equal(count?.('one two three'), 3);
    equal(count('a later text'), textTokens('a later text'));
    deepEqual(
      [prepared?.countFor('cl100k_base'), prepared?.countFor(undefined)],
      [undefined, undefined],
    );
  });

  test('are estimated if the thread fails, or the conversation is very long', async () => {
    const encodings = ['o200k_base'] as const;
    equal(await prepareTexts(items, { ...options, pool: broken, encodings }), undefined);
    const long = [say('user', 'a '.repeat(600_000))];
    equal(await prepareTexts(long, { ...options, pool, encodings, shrinks: false }), undefined);
  });
});
