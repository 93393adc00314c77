import type { EventMark, EventStore, Position } from '@sluice/es';
import type { Database } from '../database.ts';
import type { Projection, ReadModels } from '../projection.ts';
import { rebuildProjection, type RebuildResult } from '../rebuild/rebuild.ts';
import type { RebuildOptions } from '../rebuild/shadow.ts';
import type { Queryable } from '../statement.ts';
import { withDatabase } from '../with-database.ts';
import { forgetKnownEvents, installationSchema, loadKnownEvents } from './known-events.ts';
import { storedMark } from './stored-mark.ts';

export interface AcceptOptions {
  readonly postgresUrl: string;
  readonly eventStore: Pick<EventStore, 'subscribe' | 'read'>;
  readonly readModels: ReadModels;
  /** The newest event that both histories have. */
  readonly common: EventMark | undefined;
  readonly onProgress: RebuildOptions['onProgress'];
  /** Called for each projection that was rebuilt. */
  readonly onRebuilt: (projection: Projection, rebuilt: RebuildResult) => void;
  readonly signal: AbortSignal;
}

/**
 * Takes the log as it is for the read models of a service: rebuilds them, has its reactions run again from where
 * the histories part, and forgets events that are gone. Its processes stand still until `endAcceptance`. It may be
 * repeated after a failure.
 */
export async function acceptHistory(options: AcceptOptions): Promise<void> {
  const { postgresUrl, readModels, common } = options;
  const place = { url: postgresUrl, schema: readModels.schema };
  await withDatabase(place, async (database) => {
    const begun = await begunProjections(database);
    for (const projection of readModels.projections) {
      if (!begun.has(`${projection.projection}/${projection.version}`)) continue;
      const rebuilt = await rebuildProjection({ ...options, projection, takesOtherLog: true });
      options.onRebuilt(projection, rebuilt);
    }
    await database.transaction(async (transaction) => {
      await rewindReactions(transaction, readModels, common);
      await forgetBehind(transaction, readModels, common);
    });
  });
}

/** Forgets the events that are gone in what all services know. All of them go on then, so this comes last. */
export async function endAcceptance(
  postgresUrl: string,
  common: EventMark | undefined,
): Promise<void> {
  await withDatabase({ url: postgresUrl, schema: installationSchema }, async (database) => {
    const known = await loadKnownEvents(database);
    if (known.length > 0) await forgetKnownEvents(database, common);
  });
}

async function begunProjections(database: Database): Promise<ReadonlySet<string>> {
  const text = `SELECT projection || '/' || version AS name FROM checkpoints`;
  const rows = await database.query<{ name: string }>({ text, values: [] });
  return new Set(rows.map(({ name }) => name));
}

/** A reaction that publishes what is so now begins at the start: what was lost may have said something else. */
async function rewindReactions(
  transaction: Queryable,
  { projections, restating }: ReadModels,
  common: EventMark | undefined,
): Promise<void> {
  const kept = projections.map(({ projection, version }) => `${projection}/${version}`);
  const fromStart = common === undefined ? null : restating;
  await transaction.query({
    text: `DELETE FROM checkpoints WHERE NOT projection || '/' || version = ANY ($1::text[])
             AND ($2::text[] IS NULL OR projection = ANY ($2::text[]))`,
    values: [kept, fromStart],
  });
  if (common === undefined) return;
  const { commit, prepare } = common.position;
  await transaction.query({
    text: `UPDATE checkpoints SET commit_position = $2, prepare_position = $3,
             last_event = $4::jsonb, rebuilds = rebuilds + 1, updated_at = now()
           WHERE NOT projection || '/' || version = ANY ($1::text[])
             AND (commit_position, prepare_position) > ($2, $3)`,
    values: [kept, commit, prepare, storedMark(common)],
  });
}

async function forgetBehind(
  transaction: Queryable,
  { projections }: ReadModels,
  common: EventMark | undefined,
): Promise<void> {
  const { commit, prepare }: Position = common?.position ?? { commit: -1n, prepare: -1n };
  // A rebuilt projection has noted the streams that it sets aside in this log.
  const rebuilt = projections.map(({ projection, version }) => `${projection}/${version}`);
  await transaction.query({
    text: `DELETE FROM standstills WHERE NOT projection || '/' || version = ANY ($1::text[])
             AND (commit_position, prepare_position) > ($2, $3)`,
    values: [rebuilt, commit, prepare],
  });
  await transaction.query({
    text: 'DELETE FROM log_marks WHERE (commit_position, prepare_position) > ($1, $2)',
    values: [commit, prepare],
  });
  await transaction.query({
    text: `UPDATE known_log SET histories = histories + 1, accepted_at = now(), installation = CASE
             WHEN ((installation->>'commit')::bigint, (installation->>'prepare')::bigint) > ($1, $2)
             THEN NULL ELSE installation END`,
    values: [commit, prepare],
  });
}
