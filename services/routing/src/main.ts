import { join } from 'node:path';
import { Lifecycle } from '@sluice/boot';
import { createLogger } from '@sluice/logging';
import { readinessOf, startAdmin, untilSignal } from '@sluice/boot';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import { connectClients } from './clients/connect-clients.ts';
import { loadRoutingConfig } from './config.ts';
import { openService, startInternalHttp } from './service.ts';

const { env } = process;
const config = loadRoutingConfig(env);
const logger = createLogger({ service: 'routing', level: config.SLUICE_LOG_LEVEL });
const lifecycle = new Lifecycle(logger);
const part = (name: string, stop: () => Promise<void>) => lifecycle.add({ name, stop });

try {
  const otlpEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const telemetry = createTelemetry({ serviceName: 'routing', otlpEndpoint });
  part('telemetry', () => telemetry.stop());
  const clients = await connectClients(config, { logger, lifecycle });
  const directory = join(config.SLUICE_DATA_DIR, 'routing');
  const onFatal = (error: unknown) => {
    logger.error('the usage spool failed: routing ends', { error });
    process.exit(1);
  };
  const knows = { clock: systemClock, ids: systemIds, logger, telemetry };
  const service = lifecycle.add(
    await openService({ env, directory, onFatal, ...clients, ...knows }),
  );
  await service.start();
  const { SLUICE_HOST: host, SLUICE_ADMIN_PORT: port } = config;
  const metrics = () => telemetry.prometheus();
  const admin = await startAdmin({ host, port, ...readinessOf(service), metrics });
  part('admin', () => admin.stop());
  const { inference } = service;
  const { SLUICE_RPC_ADDRESS: listens } = config;
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const server = await startInternalHttp({ inference, address: listens, token, logger });
  lifecycle.add(server);
  logger.info('routing serves', { address: server.url });
  await untilSignal();
} catch (error) {
  logger.error('routing could not start', { error });
  process.exitCode = 1;
} finally {
  await lifecycle.stop();
}
