import type { CanonicalCall } from '../../request/call.ts';
import type { UnavailableReason } from '../../request/alignment.ts';
import type { StageWork } from '../stage-work.ts';
import type { JudgedMessage } from './judged-message.ts';

/** Judges messages of models against rules. */
export interface Evaluator {
  /** Returns the probability that the message breaks each rule, or the reason why it is unknown. Never throws. */
  evaluate(asked: AskedEvaluation): Promise<Evaluation>;
}

export interface AskedEvaluation {
  readonly rules: readonly string[];
  readonly message: JudgedMessage;
  /** The request whose answer is judged. */
  readonly call: CanonicalCall;
  /** Pays for the evaluation. */
  readonly work: StageWork;
}

export type Evaluation = Verdict & { readonly costNanoUsd: bigint };

/** The probabilities stand in the order of the rules. */
export type Verdict =
  | { readonly probabilities: readonly number[] }
  | { readonly reason: UnavailableReason };
