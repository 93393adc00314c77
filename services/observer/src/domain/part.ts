import type { UsageFact } from '@sluice/usage-facts';
import type { GenerationAttempt, GenerationFacts, GuardrailEvent } from './generation.ts';

/** The end of a response, which routing reports of generations with more than one part. */
export interface ResponseEnd {
  /** Model calls of the response. */
  readonly turns: number;
  readonly endedAtMs: number;
  readonly guardrailEvents: readonly GuardrailEvent[];
  readonly guardrailEventsOmitted: number;
}

/** A model call that gave no output: it failed or was cancelled. */
export interface FailedTurn extends GenerationFacts {
  /** From 1. */
  readonly turn: number;
  /** JSON. */
  readonly trace: string;
  readonly attempts: readonly GenerationAttempt[];
  /** The end of the response is reported. */
  readonly hasEnd: boolean;
  readonly admittedAt: string;
  readonly completedAt: string;
}

/** Something that is known of a generation. */
export type Part =
  | { readonly kind: 'fact'; readonly fact: UsageFact }
  | { readonly kind: 'failure'; readonly failure: FailedTurn }
  | { readonly kind: 'end'; readonly end: ResponseEnd };

/** Failed generations of a workspace that routing did not publish, because too many failed. */
export interface Omitted {
  /** The failure that stands for them. */
  readonly part: Pick<Received, 'accountId' | 'workspaceId' | 'generationId' | 'name'>;
  readonly count: number;
}

/** A part with the generation that it belongs to. */
export interface Received {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly generationId: string;
  /** Names the part within its generation. */
  readonly name: string;
  /** JSON, which `readPart` reads. */
  readonly body: string;
  /** A sealed envelope as text. Null: the part has no contents. */
  readonly contents: string | null;
  readonly part: Part;
}
