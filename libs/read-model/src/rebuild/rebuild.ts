import { setTimeout as delay } from 'node:timers/promises';
import { comparePositions, type Position } from '@sluice/es';
import { isPassing, StatementFailed } from '../failure.ts';
import { lockUntilCommit, migrationLock } from '../session-lock.ts';
import type { Queryable } from '../statement.ts';
import { liveCheckpoint, requireSameMigrations } from './live.ts';
import { dropReadingIndexes } from './reading-indexes.ts';
import { RebuildRefused } from './refused.ts';
import { inShadow, type RebuildOptions, type Shadow } from './shadow.ts';

export interface RebuildResult {
  readonly events: number;
  /** The place where the live projection goes on; undefined: at the start, for another log that has no event for it. */
  readonly position: Position | undefined;
  /** Names the streams that are set aside, each with its broken event. */
  readonly setAside: readonly string[];
}

/** A reader of the live tables may delay the switch, and the readers behind it, by this much. */
const lockTimeoutMs = 2_000;
const switchAttempts = 5;
const switchRetryMs = 200;

/**
 * Builds the projection's tables anew from the start of the log, beside the live ones, while they are
 * read and written; then puts them in their place in one transaction. Until then nothing of the live
 * read model has changed. A stream that the live projection sets aside may be so here too. Throws RebuildRefused,
 * PoisonedEvent, or the Fault of what failed.
 */
export async function rebuildProjection(options: RebuildOptions): Promise<RebuildResult> {
  return await inShadow(options, async (shadow) => {
    const indexes = await dropReadingIndexes(shadow, options.projection);
    await shadow.catchUp();
    for (const text of indexes) await shadow.connection.query({ text, values: [] });
    await analyze(shadow, options.projection.tables);
    for (let attempt = 1; ; attempt++) {
      // All but the newest events are applied before anybody has to wait.
      await shadow.catchUp();
      try {
        const position = await switchOver(shadow, options);
        return { events: shadow.events, position, setAside: shadow.setAside };
      } catch (error) {
        if (shadow.connection.lost.aborted || attempt === switchAttempts) throw error;
        // An event that came during the switch may be at fault: then this sets its stream aside.
        const before = shadow.streamsSetAside;
        if (!isPassing(error)) await shadow.catchUp();
        if (!isPassing(error) && shadow.streamsSetAside === before) throw explained(error);
        await delay(switchRetryMs);
      }
    }
  });
}

/**
 * The live checkpoint's row is held first, which every projector has to write before it writes
 * anything else: from here on the live tables stand still at that position. Events that arrived
 * meanwhile are applied, so the new tables are at least as far; then they take the place of the old
 * ones, and the checkpoint says what they hold. A projector that finds another position than its own
 * goes on from there; one that finds its own was switched at exactly that position.
 */
async function switchOver(
  shadow: Shadow,
  { readModels: { schema }, projection, takesOtherLog = false }: RebuildOptions,
): Promise<Position | undefined> {
  return await shadow.transaction(async (transaction) => {
    const run = (text: string) => transaction.query({ text, values: [] });
    await run(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    await run('SET LOCAL synchronous_commit = on');
    await lockUntilCommit(transaction, migrationLock(schema));
    await requireSameMigrations(transaction, { schema, shadow: shadow.schema });
    const live = await liveCheckpoint(transaction, schema, projection, 'hold');
    await shadow.catchUpWithin(transaction);
    const position = takesOtherLog ? shadow.position : later(live.position, shadow.position);
    const tables = projection.tables;
    await run(`DROP TABLE ${tables.map((table) => `"${schema}"."${table}"`).join(', ')}`);
    for (const table of tables)
      await run(`ALTER TABLE "${shadow.schema}"."${table}" SET SCHEMA "${schema}"`);
    if (takesOtherLog)
      await replaceLiveCheckpoint(transaction, shadow.schema, { schema, ...projection });
    else if (position) await moveLiveCheckpoint(transaction, { schema, position, ...projection });
    await replaceStandstills(transaction, shadow.schema, { schema, ...projection });
    await dropRest(transaction, shadow.schema);
    return position;
  });
}

/**
 * Drops the rest of the shadow, without CASCADE: a table in the live schema may use a type or a function of the
 * shadow, and CASCADE would take its columns away.
 */
async function dropRest(transaction: Queryable, schema: string): Promise<void> {
  const rest = await transaction.query<{ name: string }>({
    text: `SELECT format('%I.%I', $1::text, relname) AS name FROM pg_class
           WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'p')`,
    values: [schema],
  });
  await transaction.query({ text: `DROP TABLE ${names(rest)}`, values: [] });
  await transaction.query({ text: `DROP SCHEMA "${schema}"`, values: [] });
}

const names = (tables: readonly { readonly name: string }[]) =>
  tables.map(({ name }) => name).join(', ');

const dependentObjects = '2BP01';

/** Types, functions, views and foreign keys tie tables to what does not move with them. */
function explained(error: unknown): unknown {
  if (!(error instanceof StatementFailed) || error.sqlState !== dependentObjects) return error;
  return new RebuildRefused(
    'The tables cannot be switched: other things in the schema depend on them, or they on those.',
    { cause: error },
  );
}

/** A checkpoint may lie behind the last event that concerns the projection: both hold the same rows. */
function later(live: Position, rebuilt: Position | undefined): Position {
  return rebuilt !== undefined && comparePositions(rebuilt, live) > 0 ? rebuilt : live;
}

async function moveLiveCheckpoint(
  transaction: Queryable,
  to: { schema: string; projection: string; version: number; position: Position },
): Promise<void> {
  await transaction.query({
    text: `UPDATE "${to.schema}".checkpoints
           SET commit_position = $3, prepare_position = $4, updated_at = now(),
               rebuilds = rebuilds + 1
           WHERE projection = $1 AND version = $2`,
    values: [to.projection, to.version, to.position.commit, to.position.prepare],
  });
}

/** Takes the checkpoint of the rebuilt rows, with the event that it was last moved by. */
async function replaceLiveCheckpoint(
  transaction: Queryable,
  shadow: string,
  live: { schema: string; projection: string; version: number },
): Promise<void> {
  const values = [live.projection, live.version];
  const moved = await transaction.query({
    text: `UPDATE "${live.schema}".checkpoints live
           SET commit_position = rebuilt.commit_position,
               prepare_position = rebuilt.prepare_position,
               last_event = rebuilt.last_event, updated_at = now(), rebuilds = live.rebuilds + 1
           FROM "${shadow}".checkpoints rebuilt
           WHERE live.projection = $1 AND live.version = $2
             AND rebuilt.projection = $1 AND rebuilt.version = $2
           RETURNING live.projection`,
    values,
  });
  if (moved.length > 0) return;
  await transaction.query({
    text: `DELETE FROM "${live.schema}".checkpoints WHERE projection = $1 AND version = $2`,
    values,
  });
}

/** The new rows lack the events of these streams, and of no others. */
async function replaceStandstills(
  transaction: Queryable,
  shadow: string,
  live: { schema: string; projection: string; version: number },
): Promise<void> {
  const values = [live.projection, live.version];
  await transaction.query({
    text: `DELETE FROM "${live.schema}".standstills WHERE projection = $1 AND version = $2`,
    values,
  });
  await transaction.query({
    text: `INSERT INTO "${live.schema}".standstills SELECT * FROM "${shadow}".standstills
           WHERE projection = $1 AND version = $2`,
    values,
  });
}

/** Statistics move with the tables: the first queries after the switch are planned as the last before. */
async function analyze(shadow: Shadow, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await shadow.connection.query({ text: `ANALYZE "${shadow.schema}"."${table}"`, values: [] });
}
