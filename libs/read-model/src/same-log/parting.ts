import type { EventMark } from '@sluice/es';
import { openDatabase } from '../database.ts';
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
  for (const mark of await knownEvents(postgresUrl)) marks.set(mark.id, mark);
  for (const schema of schemas) {
    if (!(await schemaExists(postgresUrl, schema))) continue;
    const database = openDatabase({ url: postgresUrl, schema, connectionsMax: 1 });
    try {
      for (const mark of await loadMarks(database, schema)) {
        const known = marks.get(mark.id);
        // A checkpoint says less of an event than the mark that was kept of it.
        if (mark.isApplied && (known === undefined || known.occurredAt === undefined))
          marks.set(mark.id, mark);
      }
    } finally {
      await database.stop();
    }
  }
  return [...marks.values()].toSorted((one, other) => compareNewestFirst(one, other));
}

async function knownEvents(url: string): Promise<readonly Mark[]> {
  const schema = installationSchema;
  const database = openDatabase({ url, schema, connectionsMax: 1 });
  try {
    const events = await loadKnownEvents(database);
    return events.map((event) => ({
      ...event,
      isApplied: true,
      occurredAt: undefined,
      actor: undefined,
    }));
  } finally {
    await database.stop();
  }
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
  const database = openDatabase({ url: postgresUrl, schema, connectionsMax: 1 });
  try {
    const text = 'SELECT to_regclass($1) IS NOT NULL AS found';
    const values = [`"${schema}".known_log`];
    const [row] = await database.query<{ found: boolean }>({ text, values });
    return row?.found ?? false;
  } finally {
    await database.stop();
  }
}
