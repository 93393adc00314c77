import type { Bus } from '@sluice/bus';
import type { EventStore } from '@sluice/es';
import type { Logger } from '@sluice/logging';
import { type Database, installationSchema } from '@sluice/read-model';
import type { Telemetry } from '@sluice/telemetry';
import type { Secret } from './config.ts';
import { type BusConfig, openBus, openReadModel, type ReadModelConfig } from './connections.ts';
import type { Lifecycle } from './lifecycle.ts';

/** The settings of `eventStoreSettings`, `readModelSettings` and `busSettings`. */
export interface StoreConfig extends ReadModelConfig, BusConfig {
  readonly SLUICE_EVENTSTORE_URL: Secret;
  readonly SLUICE_EVENTSTORE_NAMESPACE: string;
  readonly SLUICE_EVENT_KEY?: Secret | undefined;
}

export interface Stores {
  readonly eventStore: EventStore;
  readonly database: Database;
  readonly bus: Bus;
}

export interface StoreSurroundings {
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly telemetry: Pick<Telemetry, 'tracing'>;
}

/** Connects an event store: `connectEventStore` of `@sluice/eventstore`, which this package does not import. */
export type ConnectEventStore = (
  options: {
    readonly url: string;
    readonly namespace: string;
    readonly eventKey: string | undefined;
  } & Pick<StoreSurroundings, 'logger'> &
    Pick<Telemetry, 'tracing'>,
) => Promise<EventStore & { stop(): Promise<void> }>;

/** Connects an event-sourced service to its log, its read model and the bus. They stop with the lifecycle. */
export async function connectStores(
  { name, connectEventStore }: { readonly name: string; connectEventStore: ConnectEventStore },
  config: StoreConfig,
  surroundings: StoreSurroundings,
): Promise<Stores> {
  const { logger, lifecycle, telemetry } = surroundings;
  const eventStore = await connectEventStore({
    url: config.SLUICE_EVENTSTORE_URL.reveal(),
    namespace: config.SLUICE_EVENTSTORE_NAMESPACE,
    eventKey: config.SLUICE_EVENT_KEY?.reveal(),
    logger,
    tracing: telemetry.tracing,
  });
  lifecycle.add({ name: 'event store', stop: () => eventStore.stop() });
  const place = { schema: name, installation: installationSchema };
  const database = openReadModel(place, config, surroundings);
  return { eventStore, database, bus: await openBus(name, config, surroundings) };
}
