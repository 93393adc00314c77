import { openBus, openReadModel } from '@sluice/boot/connections';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { serviceProgram, type ServiceProgram } from '@sluice/boot/run-service';
import type { ReadBundle } from '@sluice/usage-facts';
import { loadLedgerConfig } from './config.ts';
import { createService } from './service.ts';

/** Returns the ledger, in a process of its own or in one with others, which may read messages for each other. */
export const ledgerProgram = (readBundle?: ReadBundle): ServiceProgram =>
  serviceProgram({
    name: 'ledger',
    config: loadLedgerConfig,
    async connect(config, surroundings) {
      const bus = await openBus('ledger', config, surroundings);
      await bus.assertDurable();
      return { bus, database: openReadModel({ schema: 'ledger' }, config, surroundings) };
    },
    create: (clients, { config, logger, telemetry }) => {
      const suspenseHours = config.SLUICE_SUSPENSE_HOURS;
      const { retention } = config;
      return createService({ ...clients, logger, telemetry, suspenseHours, retention, readBundle });
    },
    listen: (service, surroundings) => listenRpc(service, surroundings),
  });
