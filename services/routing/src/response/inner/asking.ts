import type { InferenceCall } from '@sluice/inference-port';
import type { CanonicalCall } from '../../request/call.ts';
import type { UsageReport } from '../../request/usage-report.ts';
import type { ModelAnswer, ModelQuestion } from '../../tools/ask-model.ts';

/** The place of a response that a tool of another response asked for. */
export interface InnerPlace {
  readonly generationId: string;
  /** `<generation>/tool/<n>/<question>`: the usage ids of its steps begin with it. */
  readonly usagePrefix: string;
  /** The types of the tools that ask, from the outermost. None of them may be called again. */
  readonly askers: ReadonlySet<string>;
  readonly allowance: AskAllowance;
}

/** Counts the questions of one response, and of all responses within it. */
export interface AskAllowance {
  left: number;
}

/** A response whose tools may ask models. */
export interface Asker extends Omit<InnerPlace, 'usagePrefix'> {
  readonly call: InferenceCall;
  readonly request: CanonicalCall;
}

/** A question of a tool, and how it is paid for. */
export interface Asking {
  readonly question: ModelQuestion;
  /** The type of the tool. */
  readonly type: string;
  readonly usagePrefix: string;
  /** Aborted when nobody reads the answer any more. */
  readonly signal: AbortSignal;
}

/** An answer, and what it cost. */
export interface Asked {
  readonly answer: ModelAnswer;
  /** If undefined, nothing was charged. */
  readonly usage: UsageReport | undefined;
}
