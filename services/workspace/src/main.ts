import { join } from 'node:path';
import { openKeyManagement } from '@sluice/boot/envelope-keys';
import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { rpcDirectory } from './clients/directory.ts';
import { loadWorkspaceConfig } from './config.ts';
import { createService, loadTargets, openFiles } from './service.ts';

await runAggregateService({
  name: 'workspace',
  config: loadWorkspaceConfig,
  connectEventStore,
  create: async (given, { config, call, env }) => {
    const accounts = call(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS);
    const keys = call(KeyServiceService, config.SLUICE_KEY_ADDRESS);
    const files = await openFiles(env, join(config.SLUICE_DATA_DIR, 'files'));
    return createService({
      ...given,
      directory: rpcDirectory({ accounts, keys }),
      files,
      keyManagement: await openKeyManagement(env),
      targets: loadTargets(env),
    });
  },
});
