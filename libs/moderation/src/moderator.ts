/** The confidence of a moderator in a flag. */
export type Confidence = 'low' | 'medium' | 'high';

/** The judgment about one text. */
export interface Verdict {
  readonly isFlagged: boolean;
  /** Names of categories, such as `violence`. Empty: it is not flagged. */
  readonly reasons: readonly string[];
  readonly confidence: Confidence;
}

/** Judges whether texts are harmful. */
export interface Moderator {
  /**
   * Returns a verdict per text, in their order. Throws the Fault moderation_unavailable if not all texts could be
   * judged, also when the signal is aborted. No error has a part of a text.
   */
  check(texts: readonly string[], options: CheckOptions): Promise<readonly Verdict[]>;
}

export interface CheckOptions {
  /** The account that owns the texts. Accounts take turns. */
  readonly account: string;
  readonly signal: AbortSignal;
}

/** The verdict about a text that is not flagged. */
export const unflagged: Verdict = { isFlagged: false, reasons: [], confidence: 'low' };
