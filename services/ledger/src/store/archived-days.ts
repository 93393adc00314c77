import { Fault } from '@sluice/errors';
import type { Queryable } from '@sluice/read-model';

/** The facts that are in files only. */
export interface Archived {
  /** The end of the newest day of admission. */
  readonly until: Date;
  /** When the newest of them was counted, corrected or expired. */
  readonly knownUntil: Date;
}

const text = `
  SELECT (max(day) + 1)::timestamp AT TIME ZONE 'UTC' AS until, max(known_until) AS "knownUntil"
  FROM archives HAVING count(*) > 0`;

/** Returns undefined if nothing is archived. */
export async function readArchived(readModel: Queryable): Promise<Archived | undefined> {
  const [row] = await readModel.query<Archived>({ name: 'read-archived', text, values: [] });
  return row;
}

/** Thrown by commands that need facts which are archived. The message is a sentence that says what to do. */
export class FactsArchived extends Error {
  override readonly name = 'FactsArchived';
}

/** Throws FactsArchived if facts from an instant on are needed and some of them are in files only. */
export async function requireFactsFrom(
  readModel: Queryable,
  from: Date | undefined,
): Promise<void> {
  const archived = await readArchived(readModel);
  if (!archived || (from && from >= archived.until)) return;
  throw new FactsArchived(`${sentenceOf(archived)} Ask for usage from that day on.`);
}

/** Throws invalid_request if an answer needs facts of a day that are in files only. */
export async function refuseArchivedDay(readModel: Queryable, day: string): Promise<void> {
  const archived = await readArchived(readModel);
  if (!archived || new Date(day) >= archived.until) return;
  throw new Fault('invalid_request', { message: sentenceOf(archived) });
}

/** Throws invalid_request if what was known at an instant cannot be told, because facts were counted later. */
export async function refuseArchivedInstant(readModel: Queryable, at: string): Promise<void> {
  const archived = await readArchived(readModel);
  if (!archived || new Date(at) >= archived.knownUntil) return;
  const known = archived.knownUntil.toISOString();
  const message = `Usage that was counted until ${known} is archived: ask for a later instant`;
  throw new Fault('invalid_request', { message });
}

/** Returns a sentence that says which usage is archived. */
export function sentenceOf({ until }: Pick<Archived, 'until'>): string {
  return `The usage of the days before ${until.toISOString().slice(0, 10)} is archived.`;
}
