import { callerOf, openBus, openReadModel } from '@sluice/boot/connections';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { serviceProgram } from '@sluice/boot/run-service';
import { createEgress } from '@sluice/egress';
import { DestinationUseServiceService } from '@sluice/protos/sluice/workspace/v1/destination_use';
import { loadObserverConfig } from './config.ts';
import { createService } from './service.ts';

const callDeadlineMs = 5_000;

/** The observer in a process of its own, or in one with others. */
export const observerProgram = serviceProgram({
  name: 'observer',
  config: loadObserverConfig,
  async connect(config, surroundings) {
    const bus = await openBus('observer', config, surroundings);
    const database = openReadModel({ schema: 'observer' }, config, surroundings);
    const address = config.SLUICE_WORKSPACE_ADDRESS;
    const call = callerOf(surroundings);
    const workspaces = call(DestinationUseServiceService, address, callDeadlineMs);
    return { bus, database, workspaces };
  },
  create: async (clients, { config: { settings }, env, logger, telemetry }) =>
    createService({
      ...clients,
      keys: await openKeyManagement(env),
      egress: createEgress({ allowList: settings.allowList }),
      bounds: settings.bounds,
      contentBounds: settings.contentBounds,
      logger,
      telemetry,
    }),
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
