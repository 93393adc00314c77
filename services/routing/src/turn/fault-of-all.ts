import { catalog, Fault, type ErrorCode } from '@sluice/errors';
import { UpstreamFault } from '@sluice/providers';
import type { Plan, PlannedAttempt } from '../selection/plan.ts';
import { type Availability, availability } from '../selection/availability.ts';
import { isRefusal } from './next-attempt.ts';

/** One attempt that gave no output. */
export interface Failure {
  readonly planned: PlannedAttempt;
  readonly fault: Fault;
}

/** The status that a provider answered an attempt with, or the one that stands for what happened. */
export function statusOf(fault: Fault): number {
  return fault instanceof UpstreamFault ? fault.upstreamStatus : catalog[fault.code].http;
}

/** Returns the fault of a single endpoint, or the common fault of several with each of them by name. */
export function faultOfAll(failures: readonly Failure[], plan: Plan): Fault {
  const last = failures.at(-1)?.fault ?? new Fault('unavailable');
  // A refusal by one provider says more about the request than failures to reach others.
  const refusal = failures.find(({ fault }) => isRefusal(fault.code))?.fault;
  if (refusal) return refusal;
  // Providers without the model say nothing about those that may have it later.
  const others = failures.filter(({ fault }) => fault.code !== 'model_unavailable_upstream');
  if (others.length === 0 && failures.length > 0) return unavailableUpstream(failures, last, plan);
  const final = others.at(-1)?.fault ?? last;
  if (failures.length < 2 || !final.retryable) return final;
  const isRateLimited = others.every(({ fault }) => fault.code === 'provider_rate_limited');
  const code: ErrorCode = isRateLimited ? 'provider_rate_limited' : 'unavailable';
  const waits = others
    .map(({ fault }) => fault.retryAfterSeconds)
    .filter((seconds) => seconds !== undefined);
  const retryAfter = waits.length > 0 ? { retry_after: Math.min(...waits) } : {};
  const word = isRateLimited ? 'capacity_exhausted' : 'temporarily_unavailable';
  return new Fault(code, {
    metadata: metadataOf(failures, plan, word, { retryable: true, ...retryAfter }),
    ...(waits.length > 0 ? { retryAfterSeconds: Math.min(...waits) } : {}),
    cause: final,
  });
}

/** Returns the fault if no called provider has the model. A retry does not help. */
function unavailableUpstream(failures: readonly Failure[], last: Fault, plan: Plan): Fault {
  const joint = metadataOf(failures, plan, 'model_unavailable_upstream', {});
  const { availability: which } = joint;
  const metadata = failures.length > 1 ? joint : { ...last.metadata, availability: which };
  return new Fault(last.code, { message: last.message, metadata, cause: last });
}

function metadataOf(
  failures: readonly Failure[],
  { requestedModels }: Plan,
  word: string,
  more: Partial<Availability>,
) {
  const providers = failures.map(({ planned }) => planned.endpoint.endpoint.provider);
  return {
    availability: availability(word, requestedModels, {
      affected_providers: [...new Set(providers)],
      ...more,
    }),
    previous_errors: failures.map(({ planned, fault }) => ({
      provider: planned.endpoint.endpoint.provider,
      code: fault.metadata['provider_code'] ?? null,
      status: statusOf(fault),
    })),
  };
}
