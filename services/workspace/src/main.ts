import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { rpcDirectory } from './clients/directory.ts';
import { loadWorkspaceConfig } from './config.ts';
import { createService } from './service.ts';

await runAggregateService({
  name: 'workspace',
  config: loadWorkspaceConfig,
  connectEventStore,
  create: (given, { config, call }) => {
    const accounts = call(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS);
    const keys = call(KeyServiceService, config.SLUICE_KEY_ADDRESS);
    return createService({ ...given, directory: rpcDirectory({ accounts, keys }) });
  },
});
