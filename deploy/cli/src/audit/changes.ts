import type { EventStore } from '@sluice/es';

export interface Change {
  readonly field: string;
  /** undefined: it was not set before. */
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** What nobody can read anything from: the digests of keys. */
const unreadable: ReadonlySet<string> = new Set(['digest']);

/**
 * What an event changed: its fields beside what the earlier events of its stream last said of them.
 * Events hold no secret, so neither does this.
 */
export async function changesOf(
  eventStore: Pick<EventStore, 'read'>,
  stream: string,
  revision: bigint,
): Promise<readonly Change[]> {
  const known = new Map<string, unknown>();
  for await (const event of eventStore.read(stream)) {
    const fields = (event.data ?? {}) as Fields;
    if (event.revision === revision) return changed(fields, known);
    for (const [field, value] of Object.entries(fields)) known.set(field, value);
  }
  return [];
}

function changed(fields: Fields, known: ReadonlyMap<string, unknown>): readonly Change[] {
  return Object.entries(fields)
    .filter(([field]) => !unreadable.has(field))
    .map(([field, after]) => ({ field, before: known.get(field), after }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}
