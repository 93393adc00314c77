import type { CatalogEndpoint, Model } from '@sluice/catalog';
import type { Rejection } from '@sluice/errors';
import type { InferenceRequest, InputItem, StreamPart } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import type { Policy } from '../policy/policy.ts';
import type { AlignmentResult } from '../request/alignment.ts';
import type { CanonicalCall } from '../request/call.ts';
import type { StageWork } from './stage-work.ts';

/** A row of the table of stages: a guardrail or a plugin, at its place in the work on a request. */
export type Stage =
  | InputStage
  | CandidateStage
  | ResponseStage<'attempt', AttemptStage, AttemptContext>
  | ResponseStage<'turn', TurnStage>
  | ResponseStage<'output', OutputStage>;

export interface StageContext extends Pick<InferenceCall, 'principal' | 'requestId' | 'signal'> {
  readonly policy: Policy;
  /** Paid work. Absent: the request is only counted, and nothing may be charged for it. */
  readonly work?: StageWork | undefined;
}

export interface InputContext extends StageContext {
  /** The endpoints that a request which pays before its choice would have, in their order. Absent: it pays nothing. */
  readonly candidates?: readonly {
    readonly model: Pick<Model, 'id'>;
    readonly endpoint: Pick<CatalogEndpoint, 'inputModalities'>;
  }[];
}

/** Checks or changes a call before its endpoints are chosen. */
export interface InputStage {
  readonly at: 'input';
  readonly name: string;
  /** Returns false for a call that the stage leaves as it is: by its plugins and the policy alone. Absent: for none. */
  concerns?(call: CanonicalCall, context: StageContext): boolean;
  /** Never mutates the call. A refusal ends the response. */
  run(call: CanonicalCall, context: InputContext): Promise<InputResult | StageRefusal>;
}

export interface InputResult extends StageEvidence {
  readonly call: CanonicalCall;
}

/** Checks a call after its endpoints are chosen, and before one of them is called. */
export interface CandidateStage {
  readonly at: 'candidate';
  readonly name: string;
  /** Returns false for a call that the stage has nothing to say about. Absent: for none. */
  concerns?(call: CanonicalCall, candidates: readonly ChosenEndpoint[]): boolean;
  /** A refusal ends the response. */
  run(call: CanonicalCall, context: CandidateContext): Promise<CandidateResult | StageRefusal>;
}

export interface CandidateContext extends StageContext {
  /** The endpoints to try, in order; at least one. */
  readonly candidates: readonly ChosenEndpoint[];
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

/** A stage that works on each response anew, with the settings of its call. */
export interface ResponseStage<At extends string, Opened, Context = StageContext> {
  readonly at: At;
  readonly name: string;
  /** Returns undefined for a call that the stage does not concern. It then costs nothing. */
  open(call: CanonicalCall, context: Context): Opened | undefined | Promise<Opened | undefined>;
}

/** Changes the request for one endpoint, as a compression for its context does. */
export interface AttemptStage {
  /**
   * Returns the request that the endpoint gets. A pure function. The turn holds money for the request before this
   * stage: the changed one must not cost more.
   */
  forAttempt(request: InferenceRequest, attempt: AttemptedEndpoint): AttemptResult;
}

export interface AttemptContext extends StageContext {
  /** The endpoints to try, in order; at least one. */
  readonly attempts: readonly AttemptedEndpoint[];
}

export interface AttemptedEndpoint {
  readonly model: Model;
  readonly endpoint: CatalogEndpoint;
}

export interface AttemptResult {
  readonly request: InferenceRequest;
  /** The entry in `service_metadata.pipeline`. Absent: the stage changed nothing. */
  readonly report?: StageReport;
}

/** Works between the model calls of a response. */
export interface TurnStage {
  /** Checks or changes the items that the service adds to the input of a later model call, as results of tools. */
  runAdded?(items: readonly InputItem[]): Promise<AddedResult | StageRefusal>;
  /**
   * Judges the answer of one model call. Nothing of the answer leaves before, and no tool of it runs. `retry` drops it
   * and makes the call again. A Rejection ends the response.
   */
  judge?(answer: readonly InputItem[], asked: AskedVerdict): Verdict | Promise<Verdict>;
  /** Reads the answer of one model call that leaves as it comes. No tool of it runs before. Never rejects. */
  observe?(answer: readonly InputItem[]): Promise<void>;
  /** Returns the entries in `service_metadata.pipeline` so far. */
  report?(): readonly StageReport[];
  /** Returns the field `alignment` of the answer so far. */
  alignment?(): AlignmentResult;
}

export interface AskedVerdict {
  /** False: `retry` ends the response in words of its own. */
  readonly mayRetry: boolean;
}

export type Verdict = 'pass' | 'retry' | Rejection;

export interface AddedResult extends StageEvidence {
  readonly items: readonly InputItem[];
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

export interface StageRefusal extends Rejection, StageEvidence {}

export interface StageEvidence {
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
