import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '@sluice/es';

export function anEvent(data: object = {}): EventToAppend {
  return {
    id: randomUUID(),
    type: 'ThingHappened',
    data,
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId: randomUUID(),
      actor: { type: 'system', id: 'test' },
      requestId: 'req-test',
      $correlationId: 'req-test',
      $causationId: 'req-test',
    },
  };
}
