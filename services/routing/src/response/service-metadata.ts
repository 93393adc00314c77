import { catalog, isErrorCode } from '@sluice/errors';
import type { ServiceMetadata } from '../request/service-metadata.ts';
import type { Plan, PlannedAttempt, Routed } from '../selection/plan.ts';
import type { TriedAttempt } from '../turn/tried-attempt.ts';

const availableMax = 50;
const okStatus = 200;

/** Describes a plan and what was tried of it in the last turn. The last attempt served if it has no error. */
export function serviceMetadata(
  plan: Routed,
  tried: readonly TriedAttempt[],
  generationTimeMs: number | undefined,
): ServiceMetadata {
  const last = tried.at(-1);
  const turn = last?.turn ?? 1;
  const served = last?.errorCode === '' ? last : undefined;
  const endpoints = distinct(plan.attempts);
  const isOther = served !== undefined && !plan.askedFirst.includes(served.model);
  const stages = plan.stages ?? [];
  let isSelected = false;
  const available = endpoints.slice(0, availableMax).map(({ model, endpoint }) => {
    const { provider } = endpoint.endpoint;
    const selected = !isSelected && served?.provider === provider && served.model === model.id;
    isSelected ||= selected;
    return { model: model.id, provider, selected };
  });
  const count = `available=${String(endpoints.length)}`;
  return {
    requested: plan.requested,
    strategy: isOther ? 'fallback' : plan.strategy,
    region: null,
    summary: served ? `${count}, selected=${served.provider}` : count,
    // The contract shows a block as the first attempt.
    attempt: served ? tried.filter((one) => one.turn === turn).length : plan.isBlocked ? 1 : 0,
    is_byok: served?.isByok ?? false,
    endpoints: { total: plan.candidates.length, available },
    ...(tried.length > 0 && {
      attempts: tried.map(({ provider, model, errorCode, status, turn: ofTurn }) => ({
        provider,
        model,
        status: status ?? statusOf(errorCode),
        ...(turn > 1 && { turn: ofTurn }),
      })),
    }),
    ...paramsOf(plan.params, last?.limit),
    ...(stages.length > 0 && { pipeline: stages }),
    ...(tried.length > 0 &&
      generationTimeMs !== undefined && { generation_time: Math.round(generationTimeMs) }),
  };
}

/** Adds the model that went on, and the refusal of the others, if a budget did not hold them. */
export function budgetParams(
  { params, alias }: Pick<Plan, 'params' | 'alias'>,
  refusal: string | undefined,
): Plan['params'] {
  if (refusal === undefined) return params;
  return { ...params, budget_model: alias?.budgetModel, budget_refusal: refusal };
}

function paramsOf(ofRouter: Routed['params'], limit: TriedAttempt['limit']) {
  const ofLimit = limit?.limitedBy !== undefined && {
    max_output_tokens: limit.tokens,
    max_output_tokens_limited_by: limit.limitedBy,
  };
  return ofRouter || ofLimit ? { params: { ...ofRouter, ...ofLimit } } : {};
}

function statusOf(errorCode: string): number {
  if (errorCode === '') return okStatus;
  return isErrorCode(errorCode) ? catalog[errorCode].http : catalog.internal.http;
}

/** An endpoint that is tried with several credentials is one. */
function distinct(attempts: readonly PlannedAttempt[]): readonly PlannedAttempt[] {
  return [...new Map(attempts.map((one) => [one.endpoint.id, one])).values()];
}
