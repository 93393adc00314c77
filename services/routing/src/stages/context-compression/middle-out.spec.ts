import { deepEqual, equal, ok } from 'node:assert/strict';
import type { InputItem } from '@sluice/inference';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { countItems } from './count-items.ts';
import { middleOut } from './middle-out.ts';

const say = (role: 'system' | 'user' | 'assistant', text: string, cache?: true): InputItem => ({
  type: 'message',
  role,
  content: [{ type: 'text', text, ...(cache && { cache: { ttl: '5m' as const } }) }],
});
const call = (callId: string): InputItem => {
  return { type: 'function-call', callId, name: 'look', arguments: '{"place":"here"}' };
};
const output = (callId: string): InputItem => {
  return { type: 'function-call-output', callId, output: 'nothing was found there' };
};
const thought = (id: string): InputItem => ({
  type: 'reasoning',
  id,
  summary: [],
  content: ['I should look'],
  encrypted: undefined,
  signature: undefined,
  format: undefined,
});

const shorten = (items: readonly InputItem[], tokensMax: number) =>
  middleOut(items, countItems(items), tokensMax);
const sum = (items: readonly InputItem[]) => countItems(items).reduce((all, one) => all + one, 0);

/** A conversation of any form: turns of the user, answers, and calls with their outputs. */
const conversation = fc
  .array(
    fc.oneof(
      fc.constant((_id: string) => [say('user', 'please go on with the work')]),
      fc.constant((_id: string) => [say('assistant', 'the work is going on as it should')]),
      fc.constant((_id: string) => [say('system', 'be kind')]),
      fc.constant((id: string) => [thought(id), call(id), output(id)]),
      fc.constant((id: string) => [
        call(`${id}a`),
        call(`${id}b`),
        output(`${id}b`),
        output(`${id}a`),
      ]),
    ),
    { maxLength: 30 },
  )
  .map((makers) => makers.flatMap((make, index) => make(String(index))));

describe('middle-out', () => {
  test('leaves a conversation that fits as it is', () => {
    fc.assert(fc.property(conversation, (items) => equal(shorten(items, sum(items)), undefined)));
  });

  test('makes it fit, and keeps instructions, the last question and the order', () => {
    fc.assert(
      fc.property(conversation, fc.nat(300), (items, tokensMax) => {
        const shortened = shorten(items, tokensMax);
        if (!shortened) return;
        ok(sum(shortened.items) <= tokensMax);
        equal(sum(shortened.items), shortened.tokens);
        const places = shortened.items.map((item) => items.indexOf(item));
        deepEqual(
          places,
          places.toSorted((one, other) => one - other),
        );
        ok(!places.includes(-1));
        const lastUser = items.findLast((item) => item.type === 'message' && item.role === 'user');
        for (const item of items) {
          const isInstruction = item.type === 'message' && item.role === 'system';
          if (isInstruction || item === lastUser) ok(shortened.items.includes(item));
        }
      }),
    );
  });

  test('never parts a call of a tool from its output, nor from its thought', () => {
    fc.assert(
      fc.property(conversation, fc.nat(300), (items, tokensMax) => {
        const left = shorten(items, tokensMax)?.items ?? [];
        const called = left.flatMap((item) => (item.type === 'function-call' ? item.callId : []));
        const answered = left.flatMap((item) =>
          item.type === 'function-call-output' ? item.callId : [],
        );
        deepEqual(new Set(called), new Set(answered));
        for (const item of left) if (item.type === 'reasoning') ok(called.includes(item.id));
      }),
    );
  });

  test('touches nothing before the last mark of a cached prompt', () => {
    fc.assert(
      fc.property(conversation, conversation, fc.nat(400), (cached, rest, tokensMax) => {
        const prefix = [...cached, say('user', 'so far', true)];
        const shortened = shorten([...prefix, ...rest], tokensMax);
        if (shortened) deepEqual(shortened.items.slice(0, prefix.length), prefix);
      }),
    );
  });

  test('leaves out the middle', () => {
    const items = Array.from({ length: 21 }, (_, index) => say('user', `word ${String(index)}`));
    const left = shorten(items, sum(items) / 2)?.items ?? [];
    const places = left.map((item) => items.indexOf(item));
    ok(places.includes(0) && places.includes(20) && !places.includes(10), places.join());
    const gaps = places.filter(
      (place, index) => index > 0 && place !== (places[index - 1] ?? 0) + 1,
    );
    equal(gaps.length, 1);
  });

  test('leaves a question alone that does not fit by itself', () => {
    equal(shorten([say('user', 'long '.repeat(1_000))], 100), undefined);
    equal(shorten([say('user', 'a'), say('user', 'long '.repeat(1_000))], 100), undefined);
  });
});
