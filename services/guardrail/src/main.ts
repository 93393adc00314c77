import { startRpcServer } from '@sluice/rpc';
import { Lifecycle, readinessOf, startAdmin, untilSignal } from '@sluice/boot';
import { systemClock } from '@sluice/clock-and-ids';
import { createLogger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { connectClients } from './clients/connect-clients.ts';
import { loadGuardrailConfig } from './config.ts';
import { createService } from './service.ts';

const config = loadGuardrailConfig(process.env);
const logger = createLogger({ service: 'guardrail', level: config.SLUICE_LOG_LEVEL });
const lifecycle = new Lifecycle(logger);
const part = (name: string, stop: () => Promise<void>) => lifecycle.add({ name, stop });

try {
  const otlpEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const telemetry = createTelemetry({ serviceName: 'guardrail', otlpEndpoint });
  part('telemetry', () => telemetry.stop());
  const clients = await connectClients(config, { logger, lifecycle });
  const service = lifecycle.add(
    createService({ ...clients, clock: systemClock, logger, telemetry }),
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
    ...readinessOf(service),
    metrics: () => telemetry.prometheus(),
  });
  part('admin', () => admin.stop());
  logger.info('guardrail serves', { address: server.address });
  await untilSignal();
} catch (error) {
  logger.error('guardrail could not start', { error });
  process.exitCode = 1;
} finally {
  await lifecycle.stop();
}
