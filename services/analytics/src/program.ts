import { listenRpc } from '@sluice/boot/listen-rpc';
import { serviceProgram, type ServiceProgram } from '@sluice/boot/run-service';
import type { ReadBundle } from '@sluice/usage-facts';
import { connectClients } from './clients/connect-clients.ts';
import { loadAnalyticsConfig } from './config.ts';
import { createService, questionMsMax } from './service.ts';

/** Returns analytics, in a process of its own or in one with others, which may read messages for each other. */
export const analyticsProgram = (readBundle?: ReadBundle): ServiceProgram =>
  serviceProgram({
    name: 'analytics',
    config: loadAnalyticsConfig,
    connect: (config, surroundings) => connectClients(config, surroundings, questionMsMax),
    create: (clients, { config: { retention }, logger, telemetry }) =>
      createService({ ...clients, retention, logger, telemetry, readBundle }),
    listen: (service, surroundings) => listenRpc(service, surroundings),
  });
