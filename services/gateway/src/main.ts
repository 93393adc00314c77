import { connectBus } from '@sluice/bus';
import { Lifecycle } from '@sluice/boot';
import { createLogger } from '@sluice/logging';
import { readinessOf, startAdmin, untilSignal } from '@sluice/boot';
import { systemClock, systemIds } from '@sluice/clock-and-ids';
import { createTelemetry } from '@sluice/telemetry';
import { connectRpc } from './clients/rpc-calls.ts';
import { loadGatewayConfig } from './config.ts';
import { httpInferencePort } from './inference/http-port.ts';
import { createService } from './service.ts';

const config = loadGatewayConfig(process.env);
const logger = createLogger({ service: 'gateway', level: config.SLUICE_LOG_LEVEL });
const lifecycle = new Lifecycle(logger);
const part = (name: string, stop: () => void | Promise<void>) =>
  lifecycle.add({ name, stop: async () => stop() });

try {
  const otlpEndpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const telemetry = createTelemetry({ serviceName: 'gateway', otlpEndpoint });
  part('telemetry', () => telemetry.stop());
  const token = config.SLUICE_RPC_TOKEN.reveal();
  const rpc = connectRpc({
    addresses: {
      account: config.SLUICE_ACCOUNT_ADDRESS,
      key: config.SLUICE_KEY_ADDRESS,
      ledger: config.SLUICE_LEDGER_ADDRESS,
      workspace: config.SLUICE_WORKSPACE_ADDRESS,
      guardrail: config.SLUICE_GUARDRAIL_ADDRESS,
    },
    token,
    onOpen: part,
  });
  const bus = await connectBus({
    url: config.SLUICE_NATS_URL,
    token: config.SLUICE_NATS_TOKEN.reveal(),
    name: 'gateway',
    logger,
  });
  part('bus', () => bus.stop());
  const inference = httpInferencePort({ url: config.SLUICE_ROUTING_URL, token });
  part('inference', () => inference.stop());
  const { settings } = config;
  const talks = { rpc, inference, bus };
  const knows = { clock: systemClock, ids: systemIds, logger, telemetry, settings };
  const service = lifecycle.add(createService({ ...talks, ...knows }));
  await service.start();
  const { SLUICE_HOST: host, SLUICE_PORT: port, SLUICE_ADMIN_PORT: adminPort } = config;
  const metrics = () => telemetry.prometheus();
  const admin = await startAdmin({ host, port: adminPort, ...readinessOf(service), metrics });
  part('admin', () => admin.stop());
  logger.info('gateway serves', { address: `http://${host}:${await service.listen(host, port)}` });
  await untilSignal();
} catch (error) {
  logger.error('gateway could not start', { error });
  process.exitCode = 1;
} finally {
  await lifecycle.stop();
}
