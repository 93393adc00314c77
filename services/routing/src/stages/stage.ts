import type { Rejection } from '@sluice/errors';
import type { InferenceCall, InferenceRequest } from '@sluice/inference';
import type { Policy } from '../policy/policy.ts';

/** Checks or changes a canonical request before its endpoints are chosen: a guardrail or a plugin. */
export interface Stage {
  readonly name: string;
  /** Never mutates the request. A Rejection ends the response. */
  run(request: InferenceRequest, context: StageContext): Promise<StageResult | Rejection>;
}

export interface StageContext {
  readonly call: Pick<InferenceCall, 'principal' | 'requestId' | 'signal'>;
  readonly policy: Policy;
}

export interface StageResult {
  readonly request: InferenceRequest;
  /** The entry in `service_metadata.pipeline`; absent: the stage changed and found nothing. */
  readonly report?: StageReport;
}

export interface StageReport {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cost_usd?: number;
}
