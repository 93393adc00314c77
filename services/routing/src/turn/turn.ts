import type { InferenceRequest } from '@sluice/inference';
import type { InferenceCall } from '@sluice/inference-port';
import type { HeldWorst } from '../admission/hold-worst.ts';
import type { InputMedia } from '../admission/input-bound.ts';
import type { Policy } from '../policy/policy.ts';
import type { FieldWords } from '../request/field-words.ts';
import type { RequestLabels } from '../request/request-labels.ts';
import type { AttemptStage, OutputStage, StageReport } from '../stages/stage.ts';
import type { Plan, PlannedAttempt } from '../selection/plan.ts';
import type { NativeTools } from '../tools/native.ts';
import type { Conversation } from '../sticky/conversation.ts';
import type { Cancellation } from './cancellation.ts';
import type { TriedAttempt } from './tried-attempt.ts';

/** One model call that a response needs. */
export interface Turn {
  /** Counts the turns of the response, from 1. */
  readonly number: number;
  /** The number of its first part: parts are numbered for the response. */
  readonly firstPart: number;
  /** `gen-…`, the same for all turns of the response. */
  readonly generationId: string;
  /** The beginning of the usage ids. Absent: the generation id. */
  readonly usagePrefix?: string | undefined;
  readonly call: InferenceCall;
  readonly policy: Policy;
  readonly plan: Plan;
  /** The canonical request after the stages. `maxOutputTokens` is the client's own limit. */
  readonly request: InferenceRequest;
  /** The server tools that an endpoint may run itself. Absent: there are none. */
  readonly natives?: NativeTools | undefined;
  /** The client's words in refusals. Absent: those of `POST /responses`. */
  readonly words?: FieldWords | undefined;
  /** Sluice's own count of the input. */
  readonly inputTokens: number;
  readonly labels: RequestLabels;
  /** The rate of the discount for the contents of the request. Absent: there is none. */
  readonly dataDiscountBasisPoints?: number | undefined;
  readonly conversation: Conversation | undefined;
  readonly cancellation: Cancellation;
  /** Receives the body of each attempt. Absent: the client does not ask for it. */
  readonly onBody?: ((body: Readonly<Record<string, unknown>>) => void) | undefined;
  /**
   * Receives the headers of each attempt about the limits of the account at the provider. Absent: the client does not
   * read them.
   */
  readonly onLimits?: ((limits: Readonly<Record<string, string>>) => void) | undefined;
  /** Grows with each attempt. */
  readonly tried: TriedAttempt[];
  /** The stages that change the request for each endpoint, in their order. */
  readonly attemptStages: readonly AttemptStage[];
  /** The stages that look at the answer, in their order. */
  readonly outputs: readonly OutputStage[];
}

/** A turn whose worst case is held. */
export interface HeldTurn extends Turn {
  /** Has the output limit that the hold pays for. */
  readonly request: InferenceRequest;
  readonly held: HeldWorst;
  /** The attempts of the plan that the hold pays for. */
  readonly attempts: readonly PlannedAttempt[];
  /** The attempt that is made first. */
  readonly first: PlannedAttempt;
  /** True if the client named no output limit. */
  readonly isOpenEnded: boolean;
  /** Pictures of the input: some endpoints have a price for each. */
  readonly inputImages: number;
  readonly inputMedia: InputMedia;
  /** True if the client asked for thoughts that the first attempt cannot have. */
  readonly dropsThinking: boolean;
  readonly startedMs: number;
  /** The reports of the attempt stages. Absent: they changed nothing, or no attempt is made yet. */
  readonly attemptReports?: readonly StageReport[];
}

/** The facts of a first turn that its response opens with. */
export interface OpeningTurn extends Pick<
  HeldTurn,
  'request' | 'first' | 'isOpenEnded' | 'dropsThinking' | 'startedMs'
> {
  readonly held: { readonly hold: { readonly at: Date } };
  /** Absent: nothing was chosen, because the answer is repeated. */
  readonly plan?: Pick<Plan, 'budgetRefusal'>;
}
