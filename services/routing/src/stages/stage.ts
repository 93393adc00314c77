import type { CatalogEndpoint, Model } from '@sluice/catalog';
import type { Rejection } from '@sluice/errors';
import type { InferenceCall, InferenceRequest, StreamPart } from '@sluice/inference';
import type { Policy } from '../policy/policy.ts';

/** Checks or changes a canonical request before its endpoints are chosen: a guardrail or a plugin. */
export interface Stage {
  readonly name: string;
  /** Never mutates the request. A refusal ends the response. */
  run(request: InferenceRequest, context: StageContext): Promise<StageResult | StageRefusal>;
  /** Opens what looks at the answer to a request. Absent or undefined: the answer passes as it is. */
  openOutput?(
    request: InferenceRequest,
    context: StageContext,
  ): Promise<OutputStage | undefined> | undefined;
}

/** Looks at one answer on its way to the client, or changes it. */
export interface OutputStage {
  /**
   * Resolves with the parts that may leave now, in their order. The last part of an answer, `finish` or `error`, is
   * always the last of its batch. Never rejects: the usage of the answer is settled after it.
   */
  parts(parts: readonly StreamPart[]): Promise<readonly StreamPart[]>;
  /** Returns what it did so far. */
  report(): OutputReport;
}

export interface OutputReport {
  readonly reports: readonly StageReport[];
  readonly detections: readonly GuardrailDetection[];
  /** The rest of the answer was withheld. */
  readonly isBlocked: boolean;
}

export interface StageContext {
  readonly call: Pick<InferenceCall, 'principal' | 'requestId' | 'signal'>;
  readonly policy: Policy;
}

export interface StageResult extends StageEvidence {
  readonly request: InferenceRequest;
}

/** Checks a canonical request after its endpoints are chosen, and before one of them is called. */
export interface CandidateStage {
  readonly name: string;
  /** Never mutates the request. A refusal ends the response. */
  run(
    request: InferenceRequest,
    context: CandidateContext,
  ): Promise<CandidateResult | StageRefusal>;
}

export interface CandidateContext extends StageContext {
  /** The endpoints to try, in order; at least one. */
  readonly candidates: readonly ChosenEndpoint[];
  /** The client wants its input moderated, whichever endpoint gets it. */
  readonly demandsModeration: boolean;
}

export interface ChosenEndpoint {
  readonly model: Pick<Model, 'id'>;
  readonly endpoint: Pick<CatalogEndpoint, 'isModerated' | 'providerName'>;
}

export interface CandidateResult {
  readonly reports?: readonly StageReport[];
  /** Ids of models that are not tried. At least one candidate is of another model. Absent: all are tried. */
  readonly excludedModels?: ReadonlySet<string>;
  /** Milliseconds that the moderation of the input took; absent: it was not moderated. */
  readonly moderationLatencyMs?: number;
}

export interface StageRefusal extends Rejection, StageEvidence {}

interface StageEvidence {
  /** The entries in `service_metadata.pipeline`. Absent: the stage changed and found nothing. */
  readonly reports?: readonly StageReport[];
  /** Content that guardrails found. */
  readonly detections?: readonly GuardrailDetection[];
}

export interface StageReport {
  readonly type: string;
  readonly name: string;
  readonly summary: string;
  readonly guardrail_id?: string;
  readonly guardrail_scope?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cost_usd?: number;
}

/** Content that one filter of a guardrail found in one place. It never has the text. */
export interface GuardrailDetection {
  readonly guardrailId: string;
  /** `workspace`, `member` or `api-key`. */
  readonly guardrailScope: string;
  /** The slug of a built-in filter, or `custom`. */
  readonly slug: string;
  readonly label: string;
  readonly action: 'flag' | 'redact' | 'block';
  readonly rule: string;
  /** The place in the request, as `input.3`. */
  readonly place: string;
  readonly count: number;
}
