import type { Command, Sent } from '../../../load/commands/command.ts';
import type { LogEvent } from '../read-log.ts';

/** An event of a made-up log; `withRevisions` gives it its place. */
export interface Written {
  readonly stream: string;
  readonly type: string;
  readonly data: LogEvent['data'];
  readonly commandId: string;
  readonly requestId?: string;
}

/** The log that holds these events in this order. */
export function logOf(written: readonly Written[]): readonly LogEvent[] {
  const revisions = new Map<string, bigint>();
  return written.map(({ stream, type, data, commandId, requestId = 'req-1' }, index) => {
    const revision = (revisions.get(stream) ?? -1n) + 1n;
    revisions.set(stream, revision);
    const place = BigInt(index + 1) * 100n;
    return {
      id: `event-${index}`,
      type,
      stream,
      revision,
      position: { commit: place, prepare: place },
      data,
      metadata: { schemaVersion: 1, commandId, requestId },
      recordedAt: new Date('2026-01-02T03:04:05.678Z'),
    };
  });
}

/** A command that was answered at once, unless it says otherwise. */
export function sentOf(command: Command, changes: Partial<Sent> = {}): Sent {
  const answer = {
    outcome: 'acknowledged',
    status: '200',
    reason: '200',
    requestId: 'req-1',
    hash: '',
  } as const;
  return { command, attempts: 1, ...answer, ...changes };
}
