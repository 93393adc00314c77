import { deepEqual } from 'node:assert/strict';
import type { RecordedEvent } from '@sluice/es';
import type { Database } from '../database.ts';
import type { Queryable } from '../statement.ts';

export interface ProjectionSpecificationOptions {
  readonly database: Database;
  readonly apply: (transaction: Queryable, events: readonly RecordedEvent[]) => Promise<void>;
}

/** The grammar of a projection's specification: project(…events).twice().expectRows(sql, rows). */
export function projectionSpecification({ database, apply }: ProjectionSpecificationOptions) {
  return {
    project: (...events: readonly RecordedEvent[]) => ({
      twice: () => ({
        /** After all events at once, and again after each of them alone: the same rows. */
        expectRows: async (text: string, rows: readonly object[]) => {
          await database.transaction((transaction) => apply(transaction, events));
          deepEqual(await database.query({ text, values: [] }), rows);
          for (const event of events)
            await database.transaction((transaction) => apply(transaction, [event]));
          deepEqual(await database.query({ text, values: [] }), rows, 'the replay changed rows');
        },
      }),
    }),
  };
}

const secondMs = 1_000;
const epochMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Events of one stream as a store would give them back: schema version 1 or the given one, a second apart. */
export function recordedEvents(
  stream: string,
  ...events: readonly {
    readonly type: string;
    readonly data: object;
    readonly schemaVersion?: number;
  }[]
): readonly RecordedEvent[] {
  return events.map(({ type, data, schemaVersion = 1 }, index) => {
    const offset = BigInt(index + 1) * 100n;
    const recordedAt = new Date(epochMs + index * secondMs);
    const commandId = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
    return {
      id: commandId.replace('-7000-', '-5000-'),
      type,
      stream,
      revision: BigInt(index),
      position: { commit: offset, prepare: offset },
      data: JSON.parse(JSON.stringify(data)) as unknown,
      metadata: { schemaVersion, occurredAt: recordedAt.toISOString(), commandId },
      recordedAt,
    };
  });
}
