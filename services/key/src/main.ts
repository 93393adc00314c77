import { randomBytes } from 'node:crypto';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { aggregateProgram } from '@sluice/boot/run-aggregate-service';
import { runServices } from '@sluice/boot/run-service';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcDirectory } from './clients/directory.ts';
import { loadKeyConfig, peppersOf } from './config.ts';
import { noteUsesProgram } from './note-uses-program.ts';
import { createService } from './service.ts';

const keyProgram = aggregateProgram({
  name: 'key',
  config: loadKeyConfig,
  connectEventStore,
  create: async (given, { config, env, call }) => {
    const accounts = call(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS);
    const workspaces = call(WorkspaceServiceService, config.SLUICE_WORKSPACE_ADDRESS);
    return createService({
      ...given,
      directory: rpcDirectory({ accounts, workspaces }),
      peppers: peppersOf(config),
      keyManagement: await openKeyManagement(env),
      randomBytes,
    });
  },
});

const { env } = process;
await runServices('key', [
  { program: keyProgram, env },
  { program: noteUsesProgram, env },
]);
