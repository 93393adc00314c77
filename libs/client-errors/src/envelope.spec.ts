import { deepEqual, equal } from 'node:assert/strict';
import { Fault } from '@sluice/errors';
import { describe, test } from 'vitest';
import { errorEnvelope } from './envelope.ts';

describe('a fault becomes the public envelope', () => {
  test('with the status as its code and the type beside what the fault says', () => {
    const fault = new Fault('key_limit_exceeded', { metadata: { reason: 'key_limit_exceeded' } });
    deepEqual(errorEnvelope(fault), {
      error: {
        code: 402,
        message: 'Key limit exceeded',
        metadata: { reason: 'key_limit_exceeded', error_type: 'payment_required' },
      },
    });
  });

  test('in its own words when it has some', () => {
    equal(
      errorEnvelope(new Fault('not_found', { message: 'No such key' })).error.message,
      'No such key',
    );
  });

  test('without anything of a 500', () => {
    const fault = new Fault('internal', {
      message: 'connect ECONNREFUSED 10.0.0.7:5432',
      metadata: { provider_code: 'x' },
    });
    deepEqual(errorEnvelope(fault), {
      error: { code: 500, message: 'Internal Server Error', metadata: { error_type: 'server' } },
    });
  });
});
