import {
  type Database,
  openDatabase,
  RebuildRefused,
  skipEvent,
  type Standstill,
  standingOf,
} from '@sluice/read-model';
import { clean } from '../output.ts';
import { type Installation, noteDeed } from '../installation.ts';
import type { SkipCommand } from './command.ts';
import { services } from './known.ts';

const namedMax = 10;

/**
 * Makes all projections, reactions and commands of a service leave out an event that one of them cannot apply. Returns
 * the exit code. Throws RebuildRefused if none sets a stream aside at it.
 */
export async function skip(installation: Installation, command: SkipCommand): Promise<number> {
  const { postgresUrl, output } = installation;
  const { eventId, reason } = command;
  const elsewhere: Standstill[] = [];
  let isSkipped = false;
  for (const { schema } of services) {
    const database = openDatabase({ url: postgresUrl, schema, connectionsMax: 1 });
    try {
      const { standstills } = await standingOf(database);
      const standing = standstills.filter((each) => each.eventId === eventId);
      elsewhere.push(...standstills.filter((each) => each.eventId !== eventId));
      const [first] = standing;
      if (first === undefined) continue;
      await leaveOut(installation, database, { ...first, reason });
      isSkipped = true;
      const parts = [...new Set(standing.map(({ projection }) => projection))].join(', ');
      output.line(
        `${schema} leaves out event ${eventId} (${clean(first.type)} of ${clean(first.stream)}) everywhere; ` +
          `${parts} and the commands of the stream go on within 5 s.`,
      );
    } finally {
      await database.stop();
    }
  }
  if (!isSkipped) throw new RebuildRefused(nothingAt(eventId, elsewhere));
  return 0;
}

/** Appends the event before the row is written, so that the audit shows every skip. */
async function leaveOut(
  installation: Installation,
  database: Database,
  { eventId, stream, type, reason }: Standstill & { readonly reason: string },
): Promise<void> {
  const data = { projection: `${database.schema}.*`, eventId, stream, type, reason };
  await noteDeed(installation, 'ProjectionEventSkipped', data);
  await skipEvent(database, { eventId, skippedBy: 'system cli', reason });
}

function nothingAt(eventId: string, elsewhere: readonly Standstill[]): string {
  const nothing = `Nothing stands still at event ${eventId}: there is nothing to skip.`;
  const events = [...new Set(elsewhere.map((each) => each.eventId))];
  if (events.length === 0) return nothing;
  const more = events.length > namedMax ? ` and ${events.length - namedMax} more` : '';
  return `${nothing} The events are ${events.slice(0, namedMax).join(', ')}${more}.`;
}
