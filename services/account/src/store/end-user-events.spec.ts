import { notEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'vitest';
import { storedEventsSpecification } from '@sluice/es/testing';
import { endUser } from '../domain/end-user/decide.ts';
import { endUserEvents, endUserId } from './end-user-events.ts';

storedEventsSpecification({
  codec: endUserEvents,
  decider: endUser,
  goldenDirectory: join(import.meta.dirname, '../domain/end-user/golden'),
});

test('what differs in the account or in any byte of the user lies elsewhere', () => {
  notEqual(endUserId('org_1', 'é'), endUserId('org_1', 'e\u{301}'));
  notEqual(endUserId('org_1', 'A'), endUserId('org_1', 'a'));
  notEqual(endUserId('org_1', '1'), endUserId('org_11', ''));
});
