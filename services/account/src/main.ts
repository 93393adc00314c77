import { runAggregateService } from '@sluice/boot/run-aggregate-service';
import { connectEventStore } from '@sluice/eventstore';
import { EndpointCheckServiceService } from '@sluice/protos/sluice/catalog/v1/endpoint_check';
import { WorkspaceServiceService } from '@sluice/protos/sluice/workspace/v1/workspace';
import { rpcEndpointChecks } from './clients/endpoint-checks.ts';
import { rpcWorkspaces } from './clients/workspaces.ts';
import { loadAccountConfig } from './config.ts';
import { configuredDirectory } from './directory/configured-directory.ts';
import { createService } from './service.ts';

const deadlineMs = 5_000;
/** Above the longest check of an endpoint. */
const checkDeadlineMs = 40_000;

await runAggregateService({
  name: 'account',
  config: loadAccountConfig,
  connectEventStore,
  create: (given, { config, call }) => {
    const address = config.SLUICE_WORKSPACE_ADDRESS;
    const workspaces = rpcWorkspaces(call(WorkspaceServiceService, address, deadlineMs));
    const routing = config.SLUICE_ROUTING_ADDRESS;
    return createService({
      ...given,
      endpointChecks: rpcEndpointChecks(
        call(EndpointCheckServiceService, routing, checkDeadlineMs),
      ),
      workspaces,
      directory: configuredDirectory(config.directory),
    });
  },
});
