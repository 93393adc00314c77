import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { member } from '../domain/member/decide.ts';
import { memberEvents } from './member-events.ts';

storedEventsSpecification({
  codec: memberEvents,
  decider: member,
  goldenDirectory: join(import.meta.dirname, '../domain/member/golden'),
});
