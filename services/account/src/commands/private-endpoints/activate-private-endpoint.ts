import { derivedId } from '@sluice/clock-and-ids';
import { catalog, type ErrorCode, Fault, requireAccepted } from '@sluice/errors';
import type { ReceivedContext } from '@sluice/rpc';
import { privateEndpointsEvents } from '../../store/private-endpoints-events.ts';
import type { EndpointChecks } from './endpoint-checks.ts';
import {
  validatePrivateEndpoint,
  type ValidatedEndpoint,
  type ValidationDependencies,
} from './validate-private-endpoint.ts';

export interface ActivationDependencies extends ValidationDependencies {
  readonly checks: Pick<EndpointChecks, 'check' | 'usableSecrets'>;
}

/** Activates a draft whose validation passed and whose credential is still the one that was used. */
export async function activatePrivateEndpoint(
  { eventStore, handle, checks }: ActivationDependencies,
  endpointId: string,
  context: ReceivedContext,
) {
  const { accountId, occurredAt } = context;
  const { state } = await privateEndpointsEvents.load(eventStore, accountId);
  const { validation, provider = '' } = state.endpoints.get(endpointId) ?? {};
  const secretIds = validation
    ? await checks.usableSecrets({ accountId, workspaceId: validation.workspaceId, provider })
    : [];
  const command = {
    type: 'ActivateEndpoint',
    accountId,
    endpointId,
    secretIds,
    occurredAt,
  } as const;
  return requireAccepted(await handle(accountId, command, context));
}

/** Why a draft that was made is not active. */
export interface ActivationFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly reason: string;
}

export interface Activated {
  readonly validation: ValidatedEndpoint | undefined;
  readonly failure: ActivationFailure | undefined;
}

/** Validates and activates a draft. A failure is returned: the draft stays. */
export async function validateAndActivate(
  dependencies: ActivationDependencies,
  draft: { readonly endpointId: string; readonly workspaceId: string },
  context: ReceivedContext,
): Promise<Activated> {
  let validation: ValidatedEndpoint | undefined;
  // A command is carried out once for its id, and these are three.
  const step = (name: string) => ({
    ...context,
    occurredAt: dependencies.clock.now().toISOString(),
    commandId: derivedId(name, context.accountId, context.commandId),
  });
  try {
    validation = await validatePrivateEndpoint(dependencies, draft, step('validate endpoint'));
    if (!validation.passed) return { validation, failure: failureOf(validation) };
    await activatePrivateEndpoint(dependencies, draft.endpointId, step('activate endpoint'));
    return { validation, failure: undefined };
  } catch (error) {
    return { validation, failure: failureOfError(error) };
  }
}

function failureOf({ checks }: ValidatedEndpoint): ActivationFailure {
  const failed = checks.find(({ passed }) => !passed);
  const { name = '', reason = '' } = failed ?? {};
  const message = `The draft is kept, but not active: its check ${name} failed (${reason})`;
  const code = reason === 'workspace_not_found' ? 'not_found' : 'unprocessable';
  return { code, message, reason };
}

function failureOfError(error: unknown): ActivationFailure {
  if (!(error instanceof Fault))
    return { code: 'internal', message: catalog.internal.message, reason: '' };
  const { reason } = error.metadata;
  const message = `The draft is kept, but not active: ${error.message}`;
  return { code: error.code, message, reason: typeof reason === 'string' ? reason : '' };
}
