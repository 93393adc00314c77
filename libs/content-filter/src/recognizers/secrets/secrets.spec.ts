import { deepEqual, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { SecretRule } from './secret-rule.ts';
import { secretRules, secrets } from './secrets.ts';
import { checksumOf } from './token-checksum.ts';

const seed = 7;
const kinds = [...new Set(secretRules.map(({ kind }) => kind))];

/** Texts that a rule is for, drawn from its example: no credential stands in the sources. */
function drawn({ example, pattern, isValid, kind }: SecretRule, count: number): readonly string[] {
  const texts = fc.sample(fc.stringMatching(example), { numRuns: count * 60, seed });
  const signed = /^(?:github_token|npm_token)$/u.test(kind) ? texts.map(withChecksum) : texts;
  return signed
    .filter((text) => {
      const secret = [...text.matchAll(pattern)][0]?.groups?.['secret'];
      return secret !== undefined && isValid(secret);
    })
    .slice(0, count);
}

function withChecksum(token: string): string {
  const body = token.slice(token.indexOf('_') + 1, -6);
  return token.slice(0, -6) + checksumOf(body);
}

const found = (text: string) => secrets.find(text).map(({ rule }) => rule);

describe('secrets', () => {
  test('are of a hundred kinds', () => ok(kinds.length >= 100, String(kinds.length)));

  test.each(secretRules.map((rule) => [rule.kind, rule] as const))(
    'are found wherever they stand: %s',
    (kind, rule) => {
      const texts = drawn(rule, 5);
      ok(texts.length >= (rule.kind === 'basic_credentials' ? 1 : 3), `${texts.length} examples`);
      for (const text of texts)
        for (const around of [text, `see ${text} here`, `"${text}"`, `a\n${text}\n`])
          ok(found(around).includes(kind), around);
    },
  );

  // A password that a person thought of has no form.
  const formed = secretRules.filter(({ kind }) => !/password/u.test(kind));
  test.each(formed.map((rule) => [rule.kind, rule] as const))(
    'are not found where they are cut or stand for a value: %s',
    (kind, rule) => {
      for (const text of drawn(rule, 3)) {
        const [match] = text.matchAll(rule.pattern);
        const secret = match?.groups?.['secret'] ?? '';
        const cut = text.replace(secret, secret.slice(0, 5));
        ok(!found(cut).includes(kind), cut);
        const starred = text.replace(secret, `${secret.slice(0, 4)}${'x'.repeat(secret.length)}`);
        ok(!found(starred).includes(kind), starred);
      }
    },
  );

  test.each([
    'password: string',
    'token = getToken()',
    'const apiKey = process.env.OPENAI_API_KEY;',
    'api_key: "YOUR_API_KEY_HERE_123"',
    'postgres://user:password@localhost/db',
    'sha512-3Qz1xw2VvWJf5CV9rI2a0cU7GQ==',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    'id: 550e8400-e29b-41d4-a716-446655440000',
    'the secret of good tea is patience, and key 12345 fits',
    'sk-learn, sk-SK and task-switching',
  ])('are not seen in %s', (text) => deepEqual(found(text), []));

  test('that are private keys are found with and without their end', () => {
    const header = ['-----BEGIN', 'RSA PRIVATE KEY-----'].join(' ');
    const lines = 'MIIEowIBAAKCAQEAx7Vd+/='.repeat(20);
    const footer = ['-----END', 'RSA PRIVATE KEY-----'].join(' ');
    const whole = `${header}\n${lines}\n${footer}`;
    const spans = (text: string) => secrets.find(text).map(({ start, end }) => [start, end]);
    deepEqual(spans(`a ${whole} b`), [[2, 2 + whole.length]]);
    deepEqual(spans(`${header}\n${lines}`), [[0, header.length + 1 + lines.length]]);
    deepEqual(spans(`${header} is how it begins`), []);
  });
});
