import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  ActivateEndpoint,
  ChangeEndpoint,
  DeleteEndpoint,
  DraftEndpoint,
  PrivateEndpointsCommand,
  RecordValidation,
  ReconfigureEndpoint,
  RepriceEndpoint,
  SwitchEndpoint,
} from './commands.ts';
import type { PrivateEndpointsEvent } from './events.ts';
import {
  evolve,
  failureText,
  initial,
  type PrivateEndpoint,
  type PrivateEndpoints,
  type Upstream,
} from './state.ts';
import { baseUrlIssues, pricingIssues, upstreamModelIssues } from './values.ts';

export type PrivateEndpointsRejection = Rejection<
  'invalid_request' | 'not_found' | 'conflict' | 'unprocessable'
>;
type Decision = readonly PrivateEndpointsEvent[] | PrivateEndpointsRejection;

export const endpointsMax = 100;
/** A validation that is older does not activate a draft. */
export const validMsMax = 24 * 60 * 60 * 1_000;

function decide(command: PrivateEndpointsCommand, all: PrivateEndpoints): Decision {
  if (command.type === 'DraftEndpoint') return draft(command, all);
  const endpoint = all.endpoints.get(command.endpointId);
  return endpoint ? change(command, endpoint) : notFound;
}

/** All endpoints of an organization are one aggregate: their number and their idempotency keys are its own. */
export const privateEndpoints: Decider<
  PrivateEndpointsCommand,
  PrivateEndpoints,
  PrivateEndpointsEvent,
  PrivateEndpointsRejection
> = { category: 'privateEndpoints', initial, evolve, decide };

export const notFound: PrivateEndpointsRejection = {
  rejected: 'not_found',
  message: 'There is no such private endpoint',
};

function conflict(message: string, reason?: string): PrivateEndpointsRejection {
  return { rejected: 'conflict', message, ...(reason !== undefined && { metadata: { reason } }) };
}

/** A creation that is sent again makes nothing: `creationOf` finds the first one. */
function draft(command: DraftEndpoint, { endpoints, creations }: PrivateEndpoints): Decision {
  const { type: _type, occurredAt: draftedAt, ...values } = command;
  const issues: Issue[] = [
    ...upstreamModelIssues(values.upstreamModelId),
    ...baseUrlIssues(values.baseUrl, values.provider),
    ...pricingIssues(values.pricing),
  ];
  if (issues.length > 0) return invalidRequest(issues);
  const { idempotency } = values;
  const first = idempotency ? creations.get(idempotency.keyDigest) : undefined;
  if (first) return first.bodyDigest === idempotency?.bodyDigest ? [] : keyReused;
  if (endpoints.size >= endpointsMax)
    return conflict(
      `An organization has at most ${endpointsMax} private endpoints: delete one`,
      'endpoint_limit_reached',
    );
  return [{ type: 'PrivateEndpointDrafted', data: { ...values, draftedAt } }];
}

const keyReused: PrivateEndpointsRejection = {
  rejected: 'unprocessable',
  message: 'The Idempotency-Key was used with another body',
  metadata: { reason: 'idempotency_key_reused' },
};

function change(command: ChangeEndpoint, endpoint: PrivateEndpoint): Decision {
  switch (command.type) {
    case 'ReconfigureEndpoint':
      return reconfigure(command, endpoint);
    case 'RecordValidation':
      return record(command, endpoint);
    case 'ActivateEndpoint':
      return activate(command, endpoint);
    case 'EnableEndpoint':
    case 'DisableEndpoint':
      return switchTo(command, endpoint);
    case 'RepriceEndpoint':
      return reprice(command, endpoint);
    case 'DeleteEndpoint':
      return remove(command, endpoint);
  }
}

function reconfigure(command: ReconfigureEndpoint, endpoint: PrivateEndpoint): Decision {
  if (endpoint.status !== 'draft') return notDraft(endpoint, 'changed');
  const upstream = upstreamOf(command, endpoint);
  const issues = [
    ...upstreamModelIssues(upstream.upstreamModelId),
    ...baseUrlIssues(upstream.baseUrl, endpoint.provider),
  ];
  if (issues.length > 0) return invalidRequest(issues);
  const names = ['upstreamModelId', 'baseUrl', 'declaredZdr', 'declaredRegion'] as const;
  if (names.every((name) => upstream[name] === endpoint[name])) return [];
  const data = { ...upstream, ...changedOf(command) };
  return [{ type: 'PrivateEndpointReconfigured', data }];
}

function upstreamOf(command: ReconfigureEndpoint, endpoint: PrivateEndpoint): Upstream {
  const { upstreamModelId, baseUrl = endpoint.baseUrl } = command;
  const isSame = upstreamModelId === endpoint.upstreamModelId && baseUrl === endpoint.baseUrl;
  const kept = isSame ? endpoint : { declaredZdr: null, declaredRegion: null };
  const { declaredZdr = kept.declaredZdr, declaredRegion = kept.declaredRegion } = command;
  return { upstreamModelId, baseUrl, declaredZdr, declaredRegion };
}

function record(command: RecordValidation, endpoint: PrivateEndpoint): Decision {
  if (endpoint.status !== 'draft') return notDraft(endpoint, 'validated');
  if (command.version !== endpoint.version)
    return conflict('The endpoint was changed while it was validated: validate it again');
  const { accountId, endpointId, workspaceId, credentialId, secretId, failures } = command;
  const of = { accountId, endpointId, workspaceId };
  if (failures.length === 0) {
    const data = { ...of, credentialId, secretId, validatedAt: command.occurredAt };
    return [{ type: 'PrivateEndpointValidated', data }];
  }
  if (endpoint.lastFailure === failureText(workspaceId, failures)) return [];
  const data = { ...of, failures, failedAt: command.occurredAt };
  return [{ type: 'PrivateEndpointValidationFailed', data }];
}

function activate(command: ActivateEndpoint, endpoint: PrivateEndpoint): Decision {
  if (endpoint.status !== 'draft') return notDraft(endpoint, 'activated');
  const { validation } = endpoint;
  if (!validation)
    return conflict('The endpoint has not passed a validation: validate it first', 'not_validated');
  const ageMs = Date.parse(command.occurredAt) - Date.parse(validation.validatedAt);
  if (ageMs > validMsMax || !command.secretIds.includes(validation.secretId))
    return conflict(
      'The validation is over a day old, or its credential has changed: validate it again',
      'validation_stale',
    );
  return [{ type: 'PrivateEndpointActivated', data: changedOf(command) }];
}

function switchTo(command: SwitchEndpoint, { status }: PrivateEndpoint): Decision {
  const isEnabling = command.type === 'EnableEndpoint';
  if (status === 'draft')
    return conflict(`A draft cannot be ${isEnabling ? 'enabled' : 'disabled'}: activate it first`);
  if (status === (isEnabling ? 'active' : 'disabled')) return [];
  const type = isEnabling ? 'PrivateEndpointEnabled' : 'PrivateEndpointDisabled';
  return [{ type, data: changedOf(command) }];
}

function reprice(command: RepriceEndpoint, endpoint: PrivateEndpoint): Decision {
  const { pricing } = command;
  const issues = pricingIssues(pricing);
  if (issues.length > 0) return invalidRequest(issues);
  const { prompt, completion } = endpoint.pricing;
  if (prompt === pricing.prompt && completion === pricing.completion) return [];
  return [{ type: 'PrivateEndpointRepriced', data: { ...changedOf(command), pricing } }];
}

function remove(command: DeleteEndpoint, endpoint: PrivateEndpoint): Decision {
  if (command.draftOnly && endpoint.status !== 'draft') return notDraft(endpoint, 'deleted');
  return [{ type: 'PrivateEndpointDeleted', data: changedOf(command) }];
}

function notDraft({ status }: PrivateEndpoint, done: string): PrivateEndpointsRejection {
  return conflict(`The endpoint is ${status}: only a draft can be ${done} so`);
}

function changedOf({ accountId, endpointId, occurredAt: changedAt }: ChangeEndpoint) {
  return { accountId, endpointId, changedAt };
}
