import { join } from 'node:path';
import { afterEach, beforeEach, describe, inject, test } from 'vitest';
import {
  projectionSpecification,
  recordedEvents,
  testDatabase,
  type TestDatabase,
} from '@sluice/read-model/testing';
import { endUsersProjection } from './end-users.ts';

let database: TestDatabase;
beforeEach(async () => {
  const migrations = join(import.meta.dirname, '../migrations');
  database = await testDatabase({ url: inject('postgresUrl'), migrations });
});
afterEach(() => database.drop());

const who = { accountId: 'org_1', user: 'customer/7 ü' };
const registered = {
  type: 'EndUserRegistered',
  data: { ...who, registeredAt: '2026-01-02T03:04:05.678Z' },
};
const changedAt = '2026-01-03T00:00:00.000Z';
const deactivated = { type: 'EndUserDeactivated', data: { ...who, changedAt } };
const reactivated = { type: 'EndUserReactivated', data: { ...who, changedAt } };
const row = {
  account_id: 'org_1',
  end_user: 'customer/7 ü',
  is_active: true,
  created_at: new Date('2026-01-02T03:04:05.678Z'),
  updated_at: new Date('2026-01-02T03:04:05.678Z'),
};
const changed = { ...row, updated_at: new Date(changedAt) };

describe('the table of end users', () => {
  const projecting = (...events: Parameters<typeof recordedEvents>[1][]) =>
    projectionSpecification({ database, apply: endUsersProjection.apply })
      .project(...recordedEvents('endUser-x', ...events))
      .twice();

  test('holds who is registered', () =>
    projecting(registered).expectRows('SELECT * FROM end_users', [row]));

  test('shows what was said last, and when', async () => {
    await projecting(registered, deactivated).expectRows('SELECT * FROM end_users', [
      { ...changed, is_active: false },
    ]);
    await projecting(reactivated).expectRows('SELECT * FROM end_users', [changed]);
  });
});
