import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { member } from '../domain/member/decide.ts';
import { memberEvents } from './member-events.ts';

const ids = { accountId: fc.string(), userId: fc.string() };
const role = fc.constantFrom('admin' as const, 'member' as const);

storedEventsSpecification({
  codec: memberEvents,
  decider: member,
  goldenDirectory: join(import.meta.dirname, '../domain/member/golden'),
  events: {
    MemberJoined: fc.record({
      type: fc.constant('MemberJoined' as const),
      data: fc.record({
        ...ids,
        email: fc.string(),
        firstName: fc.option(fc.string()),
        lastName: fc.option(fc.string()),
        role,
        joinedAt: fc.string(),
      }),
    }),
    MemberRoleChanged: fc.record({
      type: fc.constant('MemberRoleChanged' as const),
      data: fc.record({ ...ids, role, changedAt: fc.string() }),
    }),
    MemberDeactivated: fc.record({
      type: fc.constant('MemberDeactivated' as const),
      data: fc.record({
        ...ids,
        deactivatedBy: fc.constantFrom('administrator' as const, 'directory' as const),
        deactivatedAt: fc.string(),
      }),
    }),
    MemberReactivated: fc.record({
      type: fc.constant('MemberReactivated' as const),
      data: fc.record({ ...ids, reactivatedAt: fc.string() }),
    }),
  },
});
