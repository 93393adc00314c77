import type { EventMark } from '@sluice/es';
import type { Queryable } from '../statement.ts';
import { withDatabase } from '../with-database.ts';
import { lookFor, type Looks } from './divergence.ts';
import { installationSchema, loadKnownEvents } from './known-events.ts';
import { loadMarks, type Mark } from './known-log.ts';

/** The place where the log and the one that the read models know part. */
export interface Parting {
  /** The newest mark that both have; undefined: none is known. */
  readonly common: EventMark | undefined;
  /** Marks that the read models know and the log lacks, oldest first. Of old events, only some are kept. */
  readonly lost: readonly Mark[];
}

/** Every mark of the schemas and of the installation, newest first; an event that several know is there once. */
export async function marksOfSchemas(
  postgresUrl: string,
  schemas: readonly string[],
): Promise<readonly Mark[]> {
  const marks = new Map<string, Mark>();
  // Every table is asked for with the name of its schema.
  await withDatabase({ url: postgresUrl, schema: installationSchema }, async (database) => {
    for (const event of await loadKnownEvents(database))
      marks.set(event.id, { ...event, isApplied: true, occurredAt: undefined, actor: undefined });
    for (const schema of schemas)
      for (const mark of (await isThere(database, schema))
        ? await loadMarks(database, schema)
        : []) {
        const known = marks.get(mark.id);
        // A checkpoint says less of an event than the mark that was kept of it.
        if (mark.isApplied && known?.occurredAt === undefined) marks.set(mark.id, mark);
      }
  });
  return [...marks.values()].toSorted(compareNewestFirst);
}

function compareNewestFirst({ position: one }: Mark, { position: other }: Mark): number {
  if (one.commit !== other.commit) return one.commit > other.commit ? -1 : 1;
  if (one.prepare === other.prepare) return 0;
  return one.prepare > other.prepare ? -1 : 1;
}

/** Looks for each mark: a service that lost nothing may have noted events of the new history. */
export async function findParting(store: Looks, marks: readonly Mark[]): Promise<Parting> {
  const isLost: boolean[] = [];
  for (let from = 0; from < marks.length; from += looksAtOnce) {
    const some = marks.slice(from, from + looksAtOnce);
    const looks = await Promise.all(some.map((mark) => lookFor(store, mark)));
    isLost.push(...looks.map((look) => look !== 'same'));
  }
  const lost = marks.filter((_, index) => isLost[index]).toReversed();
  const common = marks.slice(isLost.lastIndexOf(true) + 1)[0];
  return { common, lost };
}

const looksAtOnce = 16;

/** False before the service has started for the first time since it knows its log. */
export async function schemaExists(postgresUrl: string, schema: string): Promise<boolean> {
  const place = { url: postgresUrl, schema: installationSchema };
  return await withDatabase(place, (database) => isThere(database, schema));
}

async function isThere(database: Queryable, schema: string): Promise<boolean> {
  const text = 'SELECT to_regclass($1) IS NOT NULL AS found';
  const [row] = await database.query<{ found: boolean }>({
    text,
    values: [`"${schema}".known_log`],
  });
  return row?.found ?? false;
}
