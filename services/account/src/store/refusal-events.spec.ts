import { join } from 'node:path';
import fc from 'fast-check';
import { storedEventsSpecification } from '@sluice/es/testing';
import { refusal } from '../domain/refusal/decide.ts';
import { refusalEvents } from './refusal-events.ts';

storedEventsSpecification({
  codec: refusalEvents,
  decider: refusal,
  goldenDirectory: join(import.meta.dirname, '../domain/refusal/golden'),
  events: {
    CommandRefused: fc.record({
      type: fc.constant('CommandRefused' as const),
      data: fc.record({
        accountId: fc.string(),
        action: fc.string(),
        resource: fc.record({ type: fc.string(), id: fc.string() }),
        status: fc.nat(),
        reason: fc.string(),
        leftOut: fc.nat(),
        refusedAt: fc.string(),
      }),
    }),
  },
});
