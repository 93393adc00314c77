import { type Bus, connectBus } from '@sluice/bus';
import { connectEventStore } from '@sluice/eventstore';
import type { EventStore } from '@sluice/es';
import {
  type BusAddress,
  type InfrastructureOptions,
  provideEventStore,
  provideNats,
  providePostgres,
  provideSimulator,
  runOnce,
  wantsSimulator,
} from '@sluice/local';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';

/** The infrastructure that every service uses. */
export interface Platform {
  readonly postgresUrl: string;
  readonly eventStoreUrl: string;
  readonly nats: BusAddress;
  readonly eventStore: EventStore;
  readonly bus: Bus;
  /** If undefined, the models of the simulator are not offered. */
  readonly simulatorUrl: string | undefined;
}

/** Starts the infrastructure side by side and connects to it. */
export async function startPlatform(
  options: Omit<InfrastructureOptions, 'run' | 'ports'> & {
    readonly logger: Logger;
    readonly telemetry: Telemetry;
    readonly eventKey: string;
    /** Told when a server ends that nobody stopped. */
    readonly onLost: (sentence: string) => void;
  },
): Promise<Platform> {
  const { settings, env, lifecycle, logger, telemetry } = options;
  const infrastructure = { ...options, run: runOnce(options) };
  const [postgresUrl, nats, eventStoreUrl, simulatorUrl] = await Promise.all([
    providePostgres(infrastructure),
    provideNats(infrastructure),
    provideEventStore(options, telemetry),
    wantsSimulator(settings, env) ? provideSimulator(options) : undefined,
  ]);
  const bus = await connectBus({
    url: nats.url,
    ...(nats.token === undefined ? {} : { token: nats.token }),
    ...(nats.monitorUrl === undefined ? {} : { monitorUrl: nats.monitorUrl }),
    name: 'sluice',
    logger,
  });
  lifecycle.add({ name: 'bus', stop: () => bus.stop() });
  await bus.assertDurable();
  const namespace = settings.SLUICE_EVENTSTORE_NAMESPACE;
  const eventStore = await connectEventStore({
    url: eventStoreUrl,
    namespace,
    eventKey: options.eventKey,
    tracing: telemetry.tracing,
  });
  lifecycle.add({ name: 'event store client', stop: () => eventStore.stop() });
  return { postgresUrl, eventStoreUrl, nats, eventStore, bus, simulatorUrl };
}
