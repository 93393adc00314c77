import type { Secret } from '@sluice/boot';
import { Fault } from '@sluice/errors';
import { connectEventStore, type ConnectedEventStore } from '@sluice/eventstore';
import { RebuildRefused } from '@sluice/read-model';
import { findEventKey, findNamespace } from './connections.ts';
import type { Environment } from './connections-file.ts';
import type { Output } from './output.ts';

interface EventStoreUse {
  readonly url: Secret;
  readonly env: Environment;
  readonly output: Output;
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
