import { listenRpc } from '@sluice/boot/listen-rpc';
import { runService } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadAccountConfig } from './config.ts';
import { configuredDirectory } from './directory/configured-directory.ts';
import { createService } from './service.ts';

await runService({
  name: 'account',
  config: loadAccountConfig,
  connect: connectClients,
  create: (clients, { config, clock, ids, logger, telemetry }) => {
    const directory = configuredDirectory(config.directory);
    return createService({ ...clients, directory, clock, ids, logger, telemetry });
  },
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
