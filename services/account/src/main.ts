import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcWorkspaces } from './clients/workspaces.ts';
import { loadAccountConfig } from './config.ts';
import { configuredDirectory } from './directory/configured-directory.ts';
import { createService } from './service.ts';

const deadlineMs = 5_000;

await runAggregateService({
  name: 'account',
  config: loadAccountConfig,
  connectEventStore,
  create: (given, { config, call }) => {
    const address = config.SLUICE_WORKSPACE_ADDRESS;
    const workspaces = rpcWorkspaces(call(WorkspaceServiceService, address, deadlineMs));
    return createService({
      ...given,
      workspaces,
      directory: configuredDirectory(config.directory),
    });
  },
});
