import { connectBus } from '@sluice/bus';
import { openDatabase } from '@sluice/read-model';
import { startRpcServer } from '@sluice/rpc';
import { Lifecycle, readinessOf, startAdmin, untilSignal } from '@sluice/boot';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { loadLedgerConfig } from './config.ts';
import { createService } from './service.ts';

const config = loadLedgerConfig(process.env);
const logger = createLogger({ service: 'ledger', level: config.SLUICE_LOG_LEVEL });
const lifecycle = new Lifecycle(logger);
const part = (name: string, stop: () => Promise<void>) => lifecycle.add({ name, stop });

try {
  const telemetry = createTelemetry({
    serviceName: 'ledger',
    otlpEndpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  });
  part('telemetry', () => telemetry.stop());
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN?.reveal(),
    monitorUrl: config.SLUICE_NATS_MONITOR_URL,
    name: 'ledger',
    logger,
  });
  part('bus', () => bus.stop());
  await bus.assertDurable();
  const database = openDatabase({
    url: config.SLUICE_POSTGRES_URL.reveal(),
    schema: 'ledger',
    connectionsMax: config.SLUICE_POSTGRES_CONNECTIONS,
  });
  part('read model', () => database.stop());
  const service = lifecycle.add(createService({ bus, database, logger, telemetry }));
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
    ...readinessOf(service),
    metrics: () => telemetry.prometheus(),
  });
  part('admin', () => admin.stop());
  logger.info('ledger serves', { address: server.address });
  await untilSignal();
} catch (error) {
  logger.error('ledger could not start', { error });
  process.exitCode = 1;
} finally {
  await lifecycle.stop();
}
