import { randomUUID } from 'node:crypto';
import {
  installationEvent,
  installationStream,
  nameInstallation,
  openDatabase,
  requireStandstill,
  skipEvent,
  type Standstill,
} from '@sluice/read-model';
import type { Installation } from '../installation.ts';
import type { SkipCommand } from './command.ts';
import { findService } from './known.ts';

const actorId = 'cli';

/** Makes a projection go on behind an event that it cannot apply. Returns the exit code. */
export async function skip(installation: Installation, command: SkipCommand): Promise<number> {
  const { postgresUrl, output } = installation;
  const { projection, eventId, reason } = command;
  const { schema } = findService(projection);
  const database = openDatabase({ url: postgresUrl, schema, connectionsMax: 1 });
  try {
    const standstill = await requireStandstill(database, projection, eventId);
    await noteSkip(installation, standstill, reason);
    await skipEvent(database, { projection, eventId, skippedBy: `system ${actorId}`, reason });
    const { type, stream } = standstill;
    output.line(
      `${projection} leaves out event ${eventId} (${type} of ${stream}); its process goes on within 5 s.`,
    );
  } finally {
    await database.stop();
  }
  return 0;
}

/** Appends the event before the row is written, so that the audit shows every skip. */
async function noteSkip(
  { eventStore }: Installation,
  { projection, eventId, stream, type }: Standstill,
  reason: string,
): Promise<void> {
  await nameInstallation(eventStore);
  const data = { projection, eventId, stream, type, reason };
  const by = { id: actorId, commandId: randomUUID() };
  const event = installationEvent('ProjectionEventSkipped', data, by);
  await eventStore.append(installationStream, [event], 'stream_exists');
}
