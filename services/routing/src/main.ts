import { join } from 'node:path';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { runService } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadRoutingConfig } from './compose/config.ts';
import { openService, startInternalHttp } from './service.ts';

await runService({
  name: 'routing',
  config: loadRoutingConfig,
  connect: connectClients,
  create: async (clients, { config, env, clock, ids, logger, telemetry }) => {
    const directory = join(config.SLUICE_DATA_DIR, 'routing');
    const onFatal = (error: unknown) => {
      logger.error('the usage spool failed: routing ends', { error });
      process.exit(1);
    };
    const contentKeys = await openKeyManagement(env);
    const given = { ...clients, contentKeys, env, directory, clock, ids, logger, telemetry };
    return await openService({ ...given, onFatal });
  },
  listen: async (service, surroundings) => {
    const { config, logger, telemetry, lifecycle } = surroundings;
    await listenRpc(service, surroundings);
    const { inference } = service;
    const token = config.SLUICE_RPC_TOKEN.reveal();
    const address = config.SLUICE_INFERENCE_ADDRESS;
    const given = { inference, address, token, logger, telemetry };
    const server = lifecycle.add(await startInternalHttp(given));
    return server.url;
  },
});
