import type { Clock } from '@sluice/clock-and-ids';
import { rejectionToFault, requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { ReceivedContext } from '@sluice/rpc';
import type { RecordValidation } from '../../domain/private-endpoints/commands.ts';
import { notFound } from '../../domain/private-endpoints/decide.ts';
import {
  privateEndpointsEvents,
  type PrivateEndpointsHandler,
} from '../../store/private-endpoints-events.ts';
import type { Workspaces } from '../workspaces.ts';
import type { Check, CheckedEndpoint, EndpointChecks } from './endpoint-checks.ts';

export interface ValidationDependencies {
  readonly eventStore: EventStore;
  readonly handle: PrivateEndpointsHandler;
  readonly checks: Pick<EndpointChecks, 'check'>;
  readonly workspaces: Pick<Workspaces, 'workspaceExists'>;
  readonly clock: Clock;
}

export interface ValidatedEndpoint {
  readonly passed: boolean;
  readonly checks: readonly Check[];
}

/** Calls the upstream of a draft with a credential of the workspace. Only a validation that passed has an effect. */
export async function validatePrivateEndpoint(
  { eventStore, handle, checks, workspaces, clock }: ValidationDependencies,
  { endpointId, workspaceId }: { readonly endpointId: string; readonly workspaceId: string },
  context: ReceivedContext,
): Promise<ValidatedEndpoint> {
  const { accountId, requestId } = context;
  const { state } = await privateEndpointsEvents.load(eventStore, accountId);
  const endpoint = state.endpoints.get(endpointId);
  if (!endpoint) throw rejectionToFault(notFound);
  const { modelPermaslug, provider, upstreamModelId, baseUrl, version } = endpoint;
  const command: RecordValidation = {
    type: 'RecordValidation',
    accountId,
    endpointId,
    workspaceId,
    version,
    failures: [],
    credentialId: '',
    secretId: '',
    occurredAt: context.occurredAt,
  };
  if (endpoint.status !== 'draft')
    // Refused before any call goes out.
    requireAccepted(await handle(accountId, command, context));
  const place = { accountId, workspaceId, requestId };
  const upstream = { modelPermaslug, provider, upstreamModelId, baseUrl };
  const checked = await checks.check({ ...place, ...upstream });
  const { credentialId, secretId } = checked;
  const all = await withWorkspace(checked, () =>
    workspaces.workspaceExists(accountId, workspaceId),
  );
  const failures = all
    .filter(({ passed }) => !passed)
    .map(({ name: check, reason }) => ({ check, reason }));
  const occurredAt = clock.now().toISOString();
  const recorded = { ...command, failures, credentialId, secretId, occurredAt };
  requireAccepted(await handle(accountId, recorded, context));
  return { passed: failures.length === 0, checks: all };
}

/** A workspace without a credential may be none. */
async function withWorkspace(
  { checks }: CheckedEndpoint,
  exists: () => Promise<boolean>,
): Promise<readonly Check[]> {
  const isWithout = checks.some(({ reason }) => reason === 'no_byok_key');
  if (!isWithout || (await exists())) return checks;
  return checks.map((check) =>
    check.reason === 'no_byok_key' ? { ...check, reason: 'workspace_not_found' } : check,
  );
}
