import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import {
  catalog,
  Fault,
  invalidRequest,
  invalidValue,
  isErrorCode,
  isRejection,
  type Rejection,
  rejectionToFault,
  requireAccepted,
} from './index.ts';

describe('the catalog', () => {
  test('explains each code to the user and the operator', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    deepEqual(
      Object.keys(catalog).filter((code) => !readme.includes(`\`${code}\``)),
      [],
    );
  });

  test('knows its own codes and no name of an object’s prototype', () => {
    ok(isErrorCode('rate_limited'));
    equal(isErrorCode('toString'), false);
    equal(isErrorCode(undefined), false);
  });
});

describe('a rejection that leaves as an error', () => {
  test('keeps code, text and facts', () => {
    const rejection = {
      rejected: 'key_limit_exceeded',
      message: 'Key limit exceeded',
      metadata: { limit_usd: 1 },
    } as const;
    ok(isRejection(rejection));
    const fault = rejectionToFault(rejection);
    ok(fault instanceof Fault);
    deepEqual(
      [fault.code, fault.message, fault.metadata, fault.retryable],
      ['key_limit_exceeded', 'Key limit exceeded', { limit_usd: 1 }, false],
    );
  });

  test('is thrown for an outcome that must be accepted; another outcome is returned', () => {
    const outcome: { readonly events: readonly string[] } | Rejection = { events: [] };
    equal(requireAccepted(outcome), outcome);
    throws(() => requireAccepted(invalidRequest([{ path: 'name', message: 'must be given' }])), {
      code: 'invalid_request',
      message: 'name: must be given',
    });
  });

  test('can be of one invalid value', () => {
    const { code, metadata } = invalidValue('name', 'must be given');
    const issues = [{ path: 'name', message: 'must be given' }];
    deepEqual([code, metadata], ['invalid_request', { issues }]);
  });
});
