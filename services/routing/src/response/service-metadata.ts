import { catalog, isErrorCode } from '@sluice/errors';
import type { PlannedAttempt, Routed } from '../selection/plan.ts';

/** The output limit that an endpoint is sent for a request. */
export interface OutputLimit {
  /** undefined: none is sent. */
  readonly tokens: number | undefined;
  /** Why it is below what the model can give, where the client named no limit. */
  readonly limitedBy?: 'budget' | 'context' | 'dialect';
}

/** What became of one attempt. */
export interface TriedAttempt {
  readonly provider: string;
  readonly model: string;
  /** The code of its error; empty: it gave output. */
  readonly errorCode: string;
  /** The status that the provider answered with; absent: none that says how it went. */
  readonly status?: number | undefined;
  readonly isByok: boolean;
  /** The output limit that it was sent. */
  readonly limit?: OutputLimit;
}

/** How a request was routed, as the client that asks is told. */
export interface ServiceMetadata {
  readonly requested: string;
  readonly strategy: string;
  readonly region: string | null;
  readonly summary: string;
  readonly attempt: number;
  readonly is_byok: boolean;
  readonly endpoints: {
    readonly total: number;
    readonly available: readonly {
      readonly model: string;
      readonly provider: string;
      readonly selected: boolean;
    }[];
  };
  readonly attempts?: readonly {
    readonly provider: string;
    readonly model: string;
    readonly status: number;
  }[];
  /** The output limit that was sent, where the client named none and it is below that of the model. */
  readonly params?: {
    readonly max_output_tokens: number | undefined;
    readonly max_output_tokens_limited_by: string;
  };
  readonly pipeline?: readonly object[];
  /** Milliseconds from the first attempt to the end. */
  readonly generation_time?: number;
}

const availableMax = 50;
const okStatus = 200;

/** Describes a plan and what was tried of it; the last attempt served when it has no error. */
export function serviceMetadata(
  plan: Routed,
  tried: readonly TriedAttempt[],
  generationTimeMs: number | undefined,
): ServiceMetadata {
  const last = tried.at(-1);
  const served = last?.errorCode === '' ? last : undefined;
  const endpoints = distinct(plan.attempts);
  const isOther = served !== undefined && !plan.askedFirst.includes(served.model);
  const stages = plan.stages ?? [];
  let isTold = false;
  const available = endpoints.slice(0, availableMax).map(({ model, endpoint }) => {
    const { provider } = endpoint.endpoint;
    const selected = !isTold && served?.provider === provider && served.model === model.id;
    isTold ||= selected;
    return { model: model.id, provider, selected };
  });
  const count = `available=${String(endpoints.length)}`;
  return {
    requested: plan.requested,
    strategy: isOther ? 'fallback' : plan.strategy,
    region: null,
    summary: served ? `${count}, selected=${served.provider}` : count,
    attempt: served ? tried.length : 0,
    is_byok: served?.isByok ?? false,
    endpoints: { total: plan.candidates.length, available },
    ...(tried.length > 0 && {
      attempts: tried.map(({ provider, model, errorCode, status }) => ({
        provider,
        model,
        status: status ?? statusOf(errorCode),
      })),
    }),
    ...paramsOf(last?.limit),
    ...(stages.length > 0 && { pipeline: stages }),
    ...(tried.length > 0 &&
      generationTimeMs !== undefined && { generation_time: Math.round(generationTimeMs) }),
  };
}

function paramsOf({ tokens, limitedBy }: OutputLimit = { tokens: undefined }) {
  if (limitedBy === undefined) return {};
  return { params: { max_output_tokens: tokens, max_output_tokens_limited_by: limitedBy } };
}

function statusOf(errorCode: string): number {
  if (errorCode === '') return okStatus;
  return isErrorCode(errorCode) ? catalog[errorCode].http : catalog.internal.http;
}

/** An endpoint that is tried with several credentials is one. */
function distinct(attempts: readonly PlannedAttempt[]): readonly PlannedAttempt[] {
  return [...new Map(attempts.map((one) => [one.endpoint.id, one])).values()];
}
