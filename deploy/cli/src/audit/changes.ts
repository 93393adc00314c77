import type { EventStore, RecordedEvent } from '@sluice/es';
import { partOf } from './entry.ts';

export interface Change {
  readonly field: string;
  /** If undefined, the field was not set before. */
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Key digests, which a reader can do nothing with. */
const unreadable: ReadonlySet<string> = new Set(['digest']);

/** Objects whose fields are fields of the resource. */
const containers: ReadonlySet<string> = new Set(['settings', 'policy', 'changes']);

const endPattern = /(?:Removed|Deleted|Unassigned\w*)$/;

/**
 * Returns what each of these events of a stream changed: its fields beside what the earlier events about
 * the same part last said of them. Reads the stream once. Events hold no secret, so neither does this.
 */
export async function changesOf(
  eventStore: Pick<EventStore, 'read'>,
  stream: string,
  revisions: ReadonlySet<bigint>,
): Promise<ReadonlyMap<bigint, readonly Change[]>> {
  const changes = new Map<bigint, readonly Change[]>();
  const knownByPart = new Map<string, Map<string, unknown>>();
  for await (const event of eventStore.read(stream)) {
    const part = nameOf(event);
    const known = knownByPart.get(part) ?? new Map<string, unknown>();
    const fields = fieldsOf(event);
    if (revisions.has(event.revision)) changes.set(event.revision, changed(fields, known));
    if (changes.size === revisions.size) break;
    for (const [field, value] of fields) known.set(field, value);
    if (endPattern.test(event.type)) knownByPart.delete(part);
    else knownByPart.set(part, known);
  }
  return changes;
}

function nameOf(event: RecordedEvent): string {
  const part = partOf(event);
  return part === null ? '' : `${part.field}=${part.id}`;
}

function fieldsOf({ data }: RecordedEvent): readonly (readonly [string, unknown])[] {
  return Object.entries((data ?? {}) as Fields).flatMap(([field, value]) =>
    containers.has(field) && typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [[field, value] as const],
  );
}

function changed(
  fields: readonly (readonly [string, unknown])[],
  known: ReadonlyMap<string, unknown>,
): readonly Change[] {
  return fields
    .filter(([field]) => !unreadable.has(field))
    .map(([field, after]) => ({ field, before: known.get(field), after }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}
