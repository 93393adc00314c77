import { deepEqual, equal, ok } from 'node:assert/strict';
import { isRejection } from '@sluice/errors';
import { describe, test } from 'vitest';
import { type Body, bodyChecks } from '../testing/body-checks.ts';
import { parseEmbeddingsRequest } from './parse-request.ts';

const base: Body = { model: 'sim/embedding', input: 'hello' };
const { accepted, issues } = bodyChecks(base, parseEmbeddingsRequest);

const message = (...texts: readonly string[]) => ({
  type: 'message',
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});

describe('an input', () => {
  test.each<[string, unknown, readonly object[]]>([
    ['a text', 'hello', [message('hello')]],
    ['texts', ['a', 'b'], [message('a'), message('b')]],
    [
      'parts',
      [{ content: [{ type: 'text', text: 'a' }] }, { content: [{ type: 'text', text: 'b' }] }],
      [message('a'), message('b')],
    ],
  ])('that is %s becomes one item each', (_, input, items) => {
    const { inference } = accepted({ input });
    deepEqual(inference.items, items);
    deepEqual(inference.embedding, { dimensions: undefined, inputType: undefined });
    equal(inference.stream, false);
  });

  test.each<[string, unknown, readonly (readonly number[])[]]>([
    ['tokens', [1, 2, 3], [[1, 2, 3]]],
    ['lists of tokens', [[1, 2], [3]], [[1, 2], [3]]],
  ])('that is %s stays tokens', (_, input, tokens) => {
    const { inference } = accepted({ input });
    deepEqual([inference.items, inference.embedding?.tokens], [[], tokens]);
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /^input: is required/],
    ['an empty list', [], /^input/],
    ['a number', 7, /^input/],
    ['texts and tokens', ['a', 1], /^input\[1\]: must be of the same kind as input\[0\]/],
    ['a part of an unknown kind', [{ content: [{ type: 'smell' }] }], /^input\[0\]/],
    ['too many texts', Array.from({ length: 5_000 }, () => 'a'), /^input: must have at most/],
  ])('that is %s is refused by its path', (_, input, expected) => {
    const found = issues({ input });
    ok(expected.test(found[0] ?? ''), found.join('\n'));
  });
});

test('the form of the vectors is that which the client asks for', () => {
  const call = accepted({ encoding_format: 'base64', dimensions: 8, input_type: 'search_query' });
  equal(call.isBase64, true);
  deepEqual(call.inference.embedding, { dimensions: 8, inputType: 'search_query' });
  deepEqual(
    issues({ encoding_format: 'hex', dimensions: 0 }).map((issue) => issue.split(':')[0]),
    ['dimensions', 'encoding_format'],
  );
});

test('the default model of a workspace does not apply', () => {
  const body = Buffer.from('{"input":"a"}');
  const call = parseEmbeddingsRequest(body, { model: 'sim/echo' });
  ok(isRejection(call));
});

test('a field outside the contract is skipped and named', () => {
  equal(accepted({ truncate: 'END' }).warning?.includes('truncate'), true);
});
