import { listenRpc } from '@sluice/boot/listen-rpc';
import { runService } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadWorkspaceConfig } from './config.ts';
import { createService } from './service.ts';

await runService({
  name: 'workspace',
  config: loadWorkspaceConfig,
  connect: connectClients,
  create: (clients, { clock, logger, telemetry }) =>
    createService({ ...clients, clock, logger, telemetry }),
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
