import { randomBytes } from 'node:crypto';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { runService } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadKeyConfig, openKeyManagement, peppersOf } from './config.ts';
import { createService } from './service.ts';

await runService({
  name: 'key',
  config: loadKeyConfig,
  connect: connectClients,
  create: async (clients, { config, env, clock, logger, telemetry }) => {
    const keyManagement = await openKeyManagement(env);
    const secrets = { peppers: peppersOf(config), keyManagement, randomBytes };
    return createService({ ...clients, ...secrets, clock, logger, telemetry });
  },
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
