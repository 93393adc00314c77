import { connectBus } from '@sluice/bus';
import { connectEventStore } from '@sluice/eventstore';
import { openDatabase } from '@sluice/read-model';
import { startRpcServer } from '@sluice/rpc';
import { createLogger, Lifecycle, startAdmin, systemClock, untilSignal } from '@sluice/service';
import { createTelemetry } from '@sluice/telemetry';
import { loadAccountConfig } from './config.ts';
import { createService } from './service.ts';

const config = loadAccountConfig(process.env);
const logger = createLogger({ service: 'account', level: config.SLUICE_LOG_LEVEL });
const lifecycle = new Lifecycle(logger);
const part = (name: string, stop: () => Promise<void>) => lifecycle.add({ name, stop });

try {
  const otlpEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const telemetry = createTelemetry({ serviceName: 'account', otlpEndpoint });
  part('telemetry', () => telemetry.stop());
  const url = config.SLUICE_EVENTSTORE_URL.reveal();
  const eventStore = await connectEventStore({ url, logger });
  part('event store', () => eventStore.stop());
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'account',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  part('read model', () => database.stop());
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'account',
    logger,
  });
  part('bus', () => bus.stop());
  const service = lifecycle.add(
    createService({ eventStore, database, bus, clock: systemClock, logger, telemetry }),
  );
  await service.start();
  const server = await startRpcServer({
    services: service.rpc,
    address: config.SLUICE_RPC_ADDRESS,
    token: config.SLUICE_RPC_TOKEN.reveal(),
    onBug: (error, method) => logger.error('a call failed by a bug', { method, error }),
  });
  part('rpc', () => server.stop());
  const admin = await startAdmin({
    host: config.SLUICE_HOST,
    port: config.SLUICE_ADMIN_PORT,
    unreadiness: () => service.unreadiness(),
    metrics: () => telemetry.prometheus(),
  });
  part('admin', () => admin.stop());
  logger.info('account serves', { address: server.address });
  await untilSignal();
} catch (error) {
  logger.error('account could not start', { error });
  process.exitCode = 1;
} finally {
  await lifecycle.stop();
}
