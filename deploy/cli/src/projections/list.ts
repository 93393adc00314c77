import { Fault } from '@sluice/errors';
import {
  eventsBehind,
  everyProjection,
  openDatabase,
  type Projection,
  type ReadModels,
  type StoredProjection,
  type Standing,
  standingOf,
  storedProjections,
  subscribedPrefixes,
} from '@sluice/read-model';
import { count, duration } from '../amounts.ts';
import { clean } from '../output.ts';
import { explain } from '../explain.ts';
import type { Installation } from '../installation.ts';
import { services } from './known.ts';
import { tableOf } from './table.ts';

const eventsMax = 10_000;
const silenceMsMax = 5_000;
const heading = ['PROJECTION', 'VERSION', 'POSITION', 'BEHIND', 'MOVED', 'REBUILDS', 'STATE'];

/** Every projection and reaction, begun or not. Returns the exit code. */
export async function listProjections(installation: Installation): Promise<number> {
  const behind = counterOfEvents(installation);
  const rows: (readonly string[])[] = [];
  const skipped: string[] = [];
  for (const service of services) {
    const { stored, standing } = await storedOf(installation, service);
    skipped.push(...standingLines(standing), ...skippedLines(standing, service));
    const names = new Set([...service.projections, ...stored].map(({ projection }) => projection));
    for (const name of names) {
      const known = service.projections.find(({ projection }) => projection === name);
      const versions = stored.filter(({ projection }) => projection === name);
      if (versions.length === 0 && known) rows.push(notBegun(known, standing));
      for (const each of versions)
        rows.push(begun(each, standing, known && (await behind(known, each))));
    }
  }
  for (const line of tableOf([heading, ...rows], installation.output.columns))
    installation.output.line(line);
  for (const line of skipped) installation.output.line(line);
  return behind.failed() ? 1 : 0;
}

async function storedOf({ postgresUrl }: Installation, { schema }: ReadModels) {
  const database = openDatabase({ url: postgresUrl, schema, connectionsMax: 1 });
  try {
    const [stored, standing] = [await storedProjections(database), await standingOf(database)];
    return { stored, standing };
  } finally {
    await database.stop();
  }
}

/** The list says what PostgreSQL knows also where the event store is away. */
function counterOfEvents({ eventStore, output, signal }: Installation) {
  let failed = false;
  const behind = async (projection: Projection, { position: after }: StoredProjection) => {
    if (failed) return '?';
    try {
      const streamPrefixes = subscribedPrefixes(projection);
      const behind = { eventStore, streamPrefixes, after, silenceMsMax, signal };
      const events = await eventsBehind(behind, eventsMax);
      return events < eventsMax ? count(events) : `${count(events)}+`;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failed = true;
      output.problem(explain(error));
      return '?';
    }
  };
  return Object.assign(behind, { failed: () => failed });
}

function notBegun(projection: Projection, standing: Standing): readonly string[] {
  const state = stateOf('not begun', projection, standing);
  return [projection.projection, String(projection.version), '-', '-', '-', '-', state];
}

function begun(stored: StoredProjection, standing: Standing, behind = '-'): readonly string[] {
  const { projection, version, position, updatedAt, rebuilds, active, rebuilding } = stored;
  const age = duration(Math.max(0, Date.now() - updatedAt.getTime()) / 1_000);
  const kept = stateOf(active ? 'active' : 'no process keeps it', stored, standing);
  const state = `${kept}${rebuilding ? ', being rebuilt or compared' : ''}`;
  const at = `${position.commit}/${position.prepare}`;
  return [projection, String(version), at, behind, `${age} ago`, String(rebuilds), state];
}

function stateOf(
  state: string,
  { projection, version }: Pick<StoredProjection, 'projection' | 'version'>,
  { standstills }: Standing,
): string {
  const standing = standstills.filter(
    (each) => each.projection === projection && each.version === version,
  );
  const [first] = standing;
  if (first === undefined) return state;
  const streams = standing.length === 1 ? 'a stream' : `${standing.length} streams`;
  return `${state}, sets aside ${streams}`;
}

function standingLines({ standstills }: Standing): readonly string[] {
  return standstills.map(
    ({ projection, eventId, stream, type, since }) =>
      `${projection} sets aside ${clean(stream)} at event ${eventId} (${clean(type)}) ` +
      `since ${since.toISOString()}`,
  );
}

function skippedLines({ skipped }: Standing, { schema }: ReadModels): readonly string[] {
  return skipped.map(
    ({ projection, eventId, stream, type, skippedBy, skippedAt, reason }) =>
      `${projection === everyProjection ? schema : projection} leaves out event ${eventId} ` +
      `(${clean(type)} of ${clean(stream)}), ` +
      `by ${skippedBy} at ${skippedAt.toISOString()}: ${clean(reason)}`,
  );
}
