import { runService } from '@sluice/boot/run-service';
import { listenRpc } from '@sluice/boot/listen-rpc';
import { loadSandboxConfig } from './config.ts';
import { findEngine } from './engines/index.ts';
import { createService } from './service.ts';

await runService({
  name: 'sandbox',
  config: loadSandboxConfig,
  async connect(config, { env }) {
    const find = () => findEngine(config, env);
    const findAgain = config.SLUICE_SANDBOX_ENGINE === 'none' ? undefined : find;
    return { engine: await find(), findAgain };
  },
  create: (engines, { config, clock, logger, telemetry }) =>
    createService({ config, ...engines, clock, logger, telemetry }),
  async listen(service, surroundings) {
    const address = await listenRpc(service, surroundings);
    process.stdout.write(`sandbox: ${service.announcement}\n`);
    return address;
  },
});
