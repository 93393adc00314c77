import { runService } from '@sluice/boot/run-service';
import { connectClients } from './connect-clients.ts';
import { loadGatewayConfig } from './config.ts';
import { createService } from './service.ts';

await runService({
  name: 'gateway',
  config: loadGatewayConfig,
  connect: connectClients,
  create: (clients, { config, clock, ids, logger, telemetry }) => {
    const { settings } = config;
    return createService({ ...clients, clock, ids, logger, telemetry, settings });
  },
  listen: async (service, { config }) => {
    const { SLUICE_HOST: host, SLUICE_PORT: port } = config;
    return `http://${host}:${await service.listen(host, port)}`;
  },
});
