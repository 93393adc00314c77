import { join } from 'node:path';
import { storedEventsSpecification } from '@sluice/es/testing';
import { account } from '../domain/account/decide.ts';
import { accountEvents } from './account-events.ts';

storedEventsSpecification({
  codec: accountEvents,
  decider: account,
  goldenDirectory: join(import.meta.dirname, '../domain/account/golden'),
});
