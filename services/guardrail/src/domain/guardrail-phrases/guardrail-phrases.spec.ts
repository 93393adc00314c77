import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { guardrailPhrases } from './decide.ts';

const { given } = specification(guardrailPhrases);
const occurredAt = '2026-01-02T03:04:05.678Z';
const accountId = 'org_1';
const set = (...phrases: readonly string[]) =>
  ({ type: 'SetGuardrailPhrases', accountId, phrases, occurredAt }) as const;
const done = (...phrases: readonly string[]) =>
  ({ type: 'GuardrailPhrasesSet', data: { accountId, phrases, setAt: occurredAt } }) as const;
describe('the allowed phrases of an account', () => {
  test('are replaced', () => given(done('a')).when(set('b', 'c')).then(done('b', 'c')));
  test('can be taken away', () => given(done('a')).when(set()).then(done()));
  test('are set once', () => given(done('a')).when(set('a')).thenNothing());
  test('are at most 200', () => {
    const many = Array.from({ length: 201 }, (_, index) => `phrase ${index}`);
    given()
      .when(set(...many))
      .thenRejected('invalid_request');
  });
  test('are none that PostgreSQL cannot store', () =>
    given().when(set('a\0b')).thenRejected('invalid_request'));

  test('are none that is blank', () => given().when(set('a', ' ')).thenRejected('invalid_request'));
  test('differ, in whichever case', () =>
    given()
      .when(set('Act as', 'x', 'ACT AS'))
      .thenRejected('invalid_request'));
  test.each(['a'.repeat(1_001), 'é'.repeat(501)])('have at most 1,000 bytes', (phrase) =>
    given().when(set(phrase)).thenRejected('invalid_request'),
  );
});
