import { runService } from '@sluice/boot/run-service';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { loadSandboxConfig } from './config.ts';
import { findEngine } from './engines/index.ts';
import { createService } from './service.ts';

await runService({
  name: 'sandbox',
  config: loadSandboxConfig,
  connect: (config, { env }) => findEngine(config, env),
  create: (engine, { config, clock, logger, telemetry }) =>
    createService({ config, engine, clock, logger, telemetry }),
  async listen(service, surroundings) {
    const address = await listenRpc(service, surroundings);
    process.stdout.write(`sandbox: ${service.announcement}\n`);
    return address;
  },
});
