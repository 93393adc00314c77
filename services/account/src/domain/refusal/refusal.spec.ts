import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { type RecordRefusal, refusal } from './decide.ts';

const { given } = specification(refusal);
const record: RecordRefusal = {
  type: 'RecordRefusal',
  accountId: 'org_1',
  action: 'api_key.create',
  resourceType: 'api_key',
  resourceId: '',
  status: 403,
  reason: 'management_key_required',
  leftOut: 0,
  occurredAt: '2026-01-02T03:04:05.678Z',
};
const recorded = (resourceId: string) => ({
  type: 'CommandRefused' as const,
  data: {
    accountId: 'org_1',
    action: 'api_key.create',
    resource: { type: 'api_key', id: resourceId },
    status: 403,
    reason: 'management_key_required',
    leftOut: 0,
    refusedAt: '2026-01-02T03:04:05.678Z',
  },
});

describe('a refusal', () => {
  test('is recorded, each time', () => given(recorded('')).when(record).then(recorded('')));
  test('has an id of what it was about that is short and can be written', () => {
    given()
      .when({ ...record, resourceId: 'x'.repeat(1_000) })
      .then(recorded('x'.repeat(256)));
    given()
      .when({ ...record, resourceId: 'a\0b\n\u{D800}c' })
      .then(recorded('a\u{FFFD}b\u{FFFD}\u{FFFD}c'));
  });
  test.each([
    { action: 'create' },
    { action: 'api_key.create now' },
    { resourceType: '' },
    { reason: 'the key sk-sluice-v1-abc is none' },
    { status: 200 },
    { status: 600 },
  ])('that is told otherwise is rejected: %o', (wrong) =>
    given()
      .when({ ...record, ...wrong })
      .thenRejected('invalid_request'),
  );
});
