import { listenRpc } from '@sluice/boot/listen-rpc';
import { serviceProgram } from '@sluice/boot/run-service';
import { connectClients } from './clients/connect-clients.ts';
import { loadAnalyticsConfig } from './config.ts';
import { createService, questionMsMax } from './service.ts';

/** Analytics in a process of its own, or in one with others. */
export const analyticsProgram = serviceProgram({
  name: 'analytics',
  config: loadAnalyticsConfig,
  connect: (config, surroundings) => connectClients(config, surroundings, questionMsMax),
  create: (clients, { config: { retention }, logger, telemetry }) =>
    createService({ ...clients, retention, logger, telemetry }),
  listen: (service, surroundings) => listenRpc(service, surroundings),
});
