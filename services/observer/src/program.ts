import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { serviceProgram } from '@sluice/boot/run-service';
import { createEgress } from '@sluice/egress';
import { connectClients } from './clients/connect-clients.ts';
import { loadObserverConfig } from './config.ts';
import { createService } from './service.ts';

/** The observer in a process of its own, or in one with others. */
export const observerProgram = serviceProgram({
  name: 'observer',
  config: loadObserverConfig,
  connect: connectClients,
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
