import type { Secret } from '@sluice/boot';
import { Fault } from '@sluice/errors';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { RebuildRefused } from '@sluice/read-model';
import { findConnections, findEventKey, findNamespace } from './connections.ts';
import type { Installation, Surroundings } from './installation.ts';

interface EventStoreUse extends Pick<Surroundings, 'env' | 'output'> {
  readonly url: Secret;
  /** If events are signed and SLUICE_EVENT_KEY is not set: the command shows forged events, or does not run. */
  readonly withoutKey: 'warns' | 'refuses';
}

/** Connects for a command and disconnects after it. Throws RebuildRefused. */
export async function withEventStore<Answer>(
  { url, env, output, withoutKey }: EventStoreUse,
  use: (eventStore: ConnectedEventStore) => Promise<Answer>,
): Promise<Answer> {
  const namespace = await findNamespace(env);
  const eventKey = await findEventKey(env);
  const eventStore = await connectEventStore({ url: url.reveal(), namespace, eventKey });
  try {
    if (await lacksEventKey(eventStore, withoutKey)) {
      if (withoutKey === 'refuses') throw new RebuildRefused(refused);
      output.problem(warning);
    }
    return await use(eventStore);
  } finally {
    await eventStore.stop();
  }
}

/** Connects for a command that needs PostgreSQL as well. Throws RebuildRefused. */
export async function withInstallation(
  given: Surroundings & Pick<EventStoreUse, 'withoutKey'>,
  use: (installation: Installation) => Promise<number>,
): Promise<number> {
  const found = await findConnections(given.env, 'postgresUrl', 'eventStoreUrl');
  const postgresUrl = found.postgresUrl.reveal();
  return await withEventStore({ ...given, url: found.eventStoreUrl }, (eventStore) =>
    use({ ...given, postgresUrl, eventStore }),
  );
}

/** A command that would only warn goes on where the event store is away, and says itself what it cannot show. */
async function lacksEventKey(
  eventStore: ConnectedEventStore,
  withoutKey: EventStoreUse['withoutKey'],
): Promise<boolean> {
  try {
    return await eventStore.lacksEventKey();
  } catch (error) {
    const isAway = error instanceof Fault && error.code === 'event_store_unavailable';
    if (withoutKey === 'warns' && isAway) return false;
    throw error;
  }
}

const refused =
  'SLUICE_EVENT_KEY is not set: forged events would be taken for events of Sluice. Set the key of the services.';
const warning =
  'SLUICE_EVENT_KEY is not set: signatures are not checked, and forged events are shown like events of Sluice.';
