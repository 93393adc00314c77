/** The judgments of the answers of a response: the field `alignment` of its answer. */
export interface AlignmentResult {
  /** In the order of the answers. Those that were withheld are among them. */
  readonly calls: readonly AlignmentRecord[];
}

/** The judgment of one answer of a model. */
export type AlignmentRecord =
  | {
      /** From 1. */
      readonly call: number;
      readonly outcome: 'allowed' | 'blocked';
      /** In the order of the rules. */
      readonly rules: readonly JudgedRule[];
    }
  | {
      readonly call: number;
      readonly outcome: 'unavailable';
      readonly reason: UnavailableReason;
    };

export interface JudgedRule {
  /** The probability that the answer breaks the rule, from 0 to 1. */
  readonly probability: number;
  readonly broken: boolean;
}

/** `cut`: the evaluator's own answer has no end. */
export type UnavailableReason = 'cut' | 'evaluator_error' | 'malformed_answer' | 'time_limit';
