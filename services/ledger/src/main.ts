import { listenRpc } from '@sluice/boot/listen-rpc';
import { runService } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadLedgerConfig } from './config.ts';
import { createService } from './service.ts';

await runService({
  name: 'ledger',
  config: loadLedgerConfig,
  connect: connectClients,
  create: (clients, { logger, telemetry }) => createService({ ...clients, logger, telemetry }),
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
