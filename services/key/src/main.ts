import { randomBytes } from 'node:crypto';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcDirectory } from './clients/directory.ts';
import { loadKeyConfig, peppersOf } from './config.ts';
import { createService } from './service.ts';

await runAggregateService({
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
