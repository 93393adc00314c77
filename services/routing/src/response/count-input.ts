import { Fault, isRejection, type Rejection } from '@sluice/errors';
import type { InferenceRequest } from '@sluice/inference';
import { abortSignalOf, type InferenceCall } from '@sluice/inference-port';
import { canCountInput } from '@sluice/providers';
import { requestFor } from '../selection/parameters.ts';
import type { PlannedAttempt, Refused } from '../selection/plan.ts';
import { runAttemptStages } from '../stages/run-attempt-stages.ts';
import { endpointOf } from '../turn/endpoint-of.ts';
import { countUpwards } from '../turn/count-upwards.ts';
import type { Pipeline } from './deps.ts';
import type { ReadCall } from './planning/read-call.ts';
import type { Planned } from './planned.ts';

/**
 * Returns the count of the input of a request. The endpoint that the request would go to is asked if its API counts. It
 * gets the request as the stages left it. If it cannot be asked or does not answer in time, the count is an estimate.
 * Returns a Rejection only if there is no such model.
 */
export async function countInput(
  { pipeline, call, parsed }: ReadCall,
  planned: Planned | Refused | Rejection,
): Promise<number | Rejection> {
  if (isRejection(planned))
    return planned.rejected === 'model_not_found' ? planned : countUpwards(parsed.call.inference);
  const [first] = planned.plan.attempts;
  const { request } = runAttemptStages(planned.attemptStages, planned.request.inference, first);
  return (await askedCount(pipeline, call, { request, first })) ?? countUpwards(request);
}

/** Asks the first endpoint of a plan with its credential. */
async function askedCount(
  pipeline: Pipeline,
  call: InferenceCall,
  { request, first }: { readonly request: InferenceRequest; readonly first: PlannedAttempt },
): Promise<number | undefined> {
  if (!canCountInput(first.endpoint.endpoint)) return undefined;
  const endpoint = await endpointOf(pipeline, call.principal, first);
  if (endpoint instanceof Fault) return undefined;
  return pipeline.upstream.countInput(endpoint, requestFor(first.endpoint, request), {
    signal: abortSignalOf(call.signal),
    timeoutMs: pipeline.limits.countMs,
    requestId: call.requestId,
    anthropicBetas: call.client?.anthropicBetas,
  });
}
