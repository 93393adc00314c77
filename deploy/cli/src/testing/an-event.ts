import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '@sluice/es';

/** An event as a service would have written it for a management key. */
export function anEvent(type: string, data: object): EventToAppend {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type,
    data,
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'management_key', id: 'a-key' },
      requestId: 'req-1',
      $correlationId: 'req-1',
      $causationId: commandId,
    },
  };
}

export function aRefusal(reason: string): EventToAppend {
  return anEvent('CommandRefused', {
    accountId: 'org_1',
    action: 'api_key.create',
    resource: { type: 'api_key', id: '' },
    status: 403,
    reason,
    leftOut: 0,
    refusedAt: '2026-01-02T03:04:05.678Z',
  });
}
