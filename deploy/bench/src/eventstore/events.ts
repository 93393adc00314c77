import { randomUUID } from 'node:crypto';
import type { EventToAppend } from '@sluice/es';

const text = 'x'.repeat(200);

/** An event as long as ours are: about 600 bytes on disk. */
export function anEvent(): EventToAppend {
  const commandId = randomUUID();
  return {
    id: randomUUID(),
    type: 'BenchMeasured',
    data: { text, at: '2026-01-02T03:04:05.678Z' },
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId,
      actor: { type: 'system', id: 'bench' },
      requestId: 'req-bench',
      $correlationId: 'req-bench',
      $causationId: commandId,
    },
  };
}

export const streamPrefix = 'bench-';
