import { deepEqual, equal, notDeepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseJsonBody } from '../http/request/json-body.ts';
import { bodyDigest } from '../http/plugins/body-digest.ts';
import { openAnswer, sealAnswer } from './sealed-answer.ts';

const digest = (json: string) => bodyDigest(parseJsonBody(Buffer.from(json)));

describe('the digest of a body', () => {
  test.each([
    ['{"a":1,"b":[true,null]}', '{ "b": [true, null],\n "a": 1 }'],
    ['{"a":1.50}', '{"a":1.5}'],
    ['{"a":"ü"}', String.raw`{"a":"\u00fc"}`],
    ['{"a":{"c":1,"b":2}}', '{"a":{"b":2,"c":1}}'],
  ])('is the same for %s and %s', (one, other) => equal(digest(one), digest(other)));

  test.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":[1,2]}', '{"a":[12]}'],
    ['{"a":[[1],2]}', '{"a":[[1,2]]}'],
    ['{"a":999999999.123456789}', '{"a":999999999.123456788}'],
    ['[999999999.123456789]', '[999999999.123456788]'],
    ['{}', '[]'],
    ['{"a":"b,c"}', '{"a":"b","c":1}'],
    ['{"__proto__":1}', '{}'],
  ])('is not the same for %s and %s', (one, other) => notDeepEqual(digest(one), digest(other)));

  test('of no body is that of null', () => equal(bodyDigest(undefined), digest('null')));

  test('is not made of what is nested without end', () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    throws(() => digest(deep), { code: 'invalid_request' });
  });
});

describe('a sealed answer', () => {
  const seal = { secret: 'mk-sluice-v1-one', binding: 'org_1 POST /v1/keys' };
  const answer = Buffer.from('{"key":"sk-sluice-v1-secret"}');

  test('opens for the key that asked, as what it was', () => {
    deepEqual(openAnswer(seal, sealAnswer(seal, answer)), answer);
    deepEqual(openAnswer(seal, sealAnswer(seal, Buffer.alloc(0))), Buffer.alloc(0));
  });

  test('shows nothing, and is another one each time', () => {
    const sealed = sealAnswer(seal, answer);
    equal(sealed.includes('secret'), false);
    notDeepEqual(sealAnswer(seal, answer), sealed);
  });

  test('does not open for another key, as another answer, or altered', () => {
    const sealed = sealAnswer(seal, answer);
    equal(openAnswer({ ...seal, secret: 'mk-sluice-v1-two' }, sealed), undefined);
    equal(openAnswer({ ...seal, binding: 'org_2 POST /v1/keys' }, sealed), undefined);
    for (const at of [0, 20, 40, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      equal(openAnswer(seal, altered), undefined, String(at));
    }
    equal(openAnswer(seal, sealed.subarray(0, 30)), undefined);
    equal(openAnswer(seal, Buffer.alloc(0)), undefined);
  });
});
