import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import { type EventMark, type EventStore, installationStream } from '@sluice/es';

/** The first event of the stream: read, or written when there is none yet. One writer of several wins. */
export async function nameInstallation(
  store: Pick<EventStore, 'read' | 'append'>,
): Promise<EventMark> {
  const named = await readInstallation(store);
  if (named) return named;
  const commandId = randomUUID();
  const event = installationEvent('InstallationNamed', {}, { id: 'first start', commandId });
  await store.append(installationStream, [event], 'no_stream').catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'revision_conflict') throw error;
  });
  const written = await readInstallation(store);
  if (!written) throw new Fault('event_store_unavailable');
  return written;
}

/** The event that names the installation of a store; undefined when the store has none. */
export async function readInstallation(
  store: Pick<EventStore, 'read'>,
): Promise<EventMark | undefined> {
  for await (const { position, id, stream, type } of store.read(installationStream))
    return { position, id, stream, type };
  return undefined;
}

export function installationEvent(
  type: 'InstallationNamed' | 'HistoryAccepted' | 'ProjectionEventSkipped' | 'SignaturesRequired',
  data: object,
  { id, commandId }: { readonly id: string; readonly commandId: string },
) {
  return {
    id: randomUUID(),
    type,
    data,
    metadata: {
      schemaVersion: 1,
      occurredAt: new Date().toISOString(),
      commandId,
      actor: { type: 'system' as const, id },
      requestId: commandId,
      $correlationId: commandId,
      $causationId: commandId,
    },
  };
}
