import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { AccountServiceService } from '@sluice/protos/sluice/account/v1/account';
import { CatalogServiceService } from '@sluice/protos/sluice/catalog/v1/catalog';
import { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcCatalog } from './clients/catalog.ts';
import { rpcDirectory } from './clients/directory.ts';
import { loadGuardrailConfig } from './config.ts';
import { createService } from './service.ts';

await runAggregateService({
  name: 'guardrail',
  config: loadGuardrailConfig,
  connectEventStore,
  create: (given, { config, call }) => {
    const accounts = call(AccountServiceService, config.SLUICE_ACCOUNT_ADDRESS);
    const workspaces = call(WorkspaceServiceService, config.SLUICE_WORKSPACE_ADDRESS);
    const keys = call(KeyServiceService, config.SLUICE_KEY_ADDRESS);
    const routing = call(CatalogServiceService, config.SLUICE_ROUTING_ADDRESS);
    return createService({
      ...given,
      directory: rpcDirectory({ accounts, workspaces, keys }),
      catalog: rpcCatalog(routing),
    });
  },
});
