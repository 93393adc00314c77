import { catalog, isRejection, type Rejection } from '@sluice/errors';
import type { InferenceCall } from '@sluice/inference-port';
import type { Credential } from '../../credentials/credential.ts';
import type { ParsedCall } from '../../dialects/dialect.ts';
import type { Policy, RequestDefaults } from '../../policy/policy.ts';
import type { StageContext } from '../../stages/stage.ts';
import type { Pipeline } from '../deps.ts';

/** A request that is valid, with the settings of its caller. */
export interface ReadCall {
  readonly pipeline: Pipeline;
  readonly call: InferenceCall;
  readonly policy: Policy;
  /** The part of these that stages see. */
  readonly context: StageContext;
  readonly credentials: readonly Credential[];
  readonly parsed: ParsedCall;
}

/** Finds the settings of the caller and parses the body with them. */
export async function readCall(
  pipeline: Pipeline,
  call: InferenceCall,
): Promise<ReadCall | Rejection> {
  const { principal, requestId, signal } = call;
  const body = await pipeline.dialects[call.dialect].scan(call.body);
  const [policy, credentials] = await Promise.all([
    pipeline.policies.find(principal),
    pipeline.credentials.find(principal),
  ]);
  if (!policy.isWorkspaceAlive) return workspaceUnavailable;
  const parsed = body.parse(defaultsOf(policy, call));
  if (isRejection(parsed)) return parsed;
  const context = { principal, requestId, signal, policy };
  return { pipeline, call, policy, context, credentials, parsed };
}

/** Returns the defaults of a request: a word in its headers stands before that of its account. */
function defaultsOf({ defaults }: Policy, { client }: InferenceCall): RequestDefaults {
  const asked = client?.unsupportedFeatures;
  return asked === undefined ? defaults : { ...defaults, unsupportedFeatures: asked };
}

const workspaceUnavailable: Rejection = {
  rejected: 'workspace_unavailable',
  message: catalog.workspace_unavailable.message,
};
