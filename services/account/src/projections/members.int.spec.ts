import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { membersProjection } from './members.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const ids = { accountId: 'org_1', userId: 'user_2' };
const joined = {
  type: 'MemberJoined',
  data: {
    ...ids,
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: null,
    role: 'member',
    joinedAt: '2026-01-02T03:04:05.678Z',
  },
};
const promoted = { type: 'MemberRoleChanged', data: { ...ids, role: 'admin', changedAt: '' } };
const deactivated = {
  type: 'MemberDeactivated',
  data: { ...ids, deactivatedBy: 'directory', deactivatedAt: '' },
};
const reactivated = { type: 'MemberReactivated', data: { ...ids, reactivatedAt: '' } };
const row = {
  account_id: 'org_1',
  user_id: 'user_2',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: null,
  role: 'member',
  is_active: true,
  joined_at: new Date('2026-01-02T03:04:05.678Z'),
  deactivated_by: null,
};

describe('the table of members', () => {
  const projecting = (...events: Parameters<typeof recordedEvents>[1][]) =>
    projectionSpecification({ database, apply: membersProjection.apply })
      .project(...recordedEvents('member-org_1.user_2', ...events))
      .twice();

  test('holds who joined, with the role of now', () =>
    projecting(joined, promoted).expectRows('SELECT * FROM members', [{ ...row, role: 'admin' }]));

  test('keeps who was deactivated', () =>
    projecting(joined, deactivated).expectRows('SELECT * FROM members', [
      { ...row, is_active: false, deactivated_by: 'directory' },
    ]));

  test('shows who came back', () =>
    projecting(joined, deactivated, reactivated).expectRows('SELECT * FROM members', [row]));
});
