import { deepEqual, equal, throws } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { numberText, parseJsonBody } from './json-body.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

describe('a management body', () => {
  test('keeps the text of its numbers beside their value', () => {
    const body = parse('{"limit": 0.10000000000000000001, "inner": {"limit": 1e2}}') as {
      limit: number;
      inner: object;
    };
    equal(body.limit, 0.1);
    equal(numberText(body, 'limit'), '0.10000000000000000001');
    equal(numberText(body.inner, 'limit'), '1e2');
    equal(numberText(body, 'name'), undefined);
  });

  test('takes the last of two members of the same name, text and value alike', () => {
    const body = parse('{"limit": 5, "limit": 7}') as { limit: number };
    equal(body.limit, 7);
    equal(numberText(body, 'limit'), '7');
  });

  test('cannot reach a prototype', () => {
    const body = parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
    equal(body['admin'], undefined);
    deepEqual(Object.keys(body), ['__proto__']);
  });

  test.each([
    ['cut', '{"name":'],
    ['empty', ''],
    ['followed by more', '{} {}'],
  ])('that is %s is refused', (_what, text) => throws(() => parse(text), isInvalid));

  test.each([
    ['{"name": "\\ud800"}', ['name']],
    [
      '{"content_filters": [{"pattern": "a"}, {"pattern": "a\\udc00", "label": "\\ud83d"}]}',
      ['content_filters.1.pattern', 'content_filters.1.label'],
    ],
    ['{"\\ud800": 1}', ['\ufffd']],
    ['"\\ud800"', ['']],
    ['{"phrases": ["a", "b\\u0000"]}', ['phrases.1']],
    ['{"metadata": {"a": [{"b\\u0000c": 1}]}}', ['metadata.a.0.b\ufffdc']],
    ['{"__proto__": {"x": "\\u0000"}}', ['__proto__.x']],
  ])('with a text that cannot be stored is refused with its place: %s', (text, paths) => {
    throws(
      () => parse(text),
      (error: Fault) => {
        const issues = error.metadata?.['issues'] as { path: string }[];
        deepEqual(
          issues.map(({ path }) => path),
          paths,
        );
        return error.code === 'invalid_request';
      },
    );
  });

  test('may be as deep as its bound of values lets it, to the half of a pair', () => {
    const depth = 9_000;
    throws(() => parse(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`), isInvalid);
  });

  test('may have whole pairs', () => {
    deepEqual(parse('{"name": "\\ud83d\\ude00 \u{1F600}"}'), { name: '\u{1F600} \u{1F600}' });
  });

  test('that is no UTF-8 is refused', () => {
    throws(() => parseJsonBody(Uint8Array.of(0x22, 0xff, 0x22)), isInvalid);
  });

  test('with more values than any of ours has is refused', () => {
    throws(() => parse(`[${'0,'.repeat(20_000)}0]`), isInvalid);
  });

  test.each([
    ['in one object', (index: number) => `"name ${String(index)}":0`, (all: string) => `{${all}}`],
    [
      'in objects of their own',
      (index: number) => `{"name ${String(index)}":0}`,
      (all: string) => `[${all}]`,
    ],
  ])('with very many names %s is refused before it is parsed', (_where, member, around) => {
    const names = (count: number) =>
      around(Array.from({ length: count }, (_, index) => member(index)).join());
    parse(names(1_000));
    // It is no JSON: a parser would say so.
    throws(() => parse(`${names(3_000)} x`), { message: /more than 1000 different names/ });
    throws(() => parse(`[${'0,'.repeat(20_000)} x`), { message: /more than 10000 values/ });
  });

  test('may have the same names very often', () => {
    const list = `[${Array.from({ length: 2_000 }, () => '{"name":"a","limit":1}').join()}]`;
    equal((parse(list) as unknown[]).length, 2_000);
  });

  test('nested a hundred thousand deep is refused or parsed, and never ends the process', () => {
    throws(() => parse('['.repeat(100_000)), isInvalid);
  });
});

function isInvalid(error: unknown): boolean {
  return error instanceof Fault && error.code === 'invalid_request';
}
