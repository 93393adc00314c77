/**
 * A command of the load. Names, limits and grant ids are used once in a run, so that the log shows the command of each
 * event without an id that the product made.
 */
export type Command = IssueKey | ChangeKey | DeleteKey | GrantCredits;

export interface IssueKey {
  readonly type: 'IssueKey';
  readonly name: string;
}

export interface ChangeKey {
  readonly type: 'ChangeKey';
  readonly hash: string;
  readonly name: string;
  /** If undefined, the limit stays as it is. */
  readonly limitNanoUsd?: bigint | undefined;
  readonly disabled?: boolean | undefined;
}

export interface DeleteKey {
  readonly type: 'DeleteKey';
  readonly hash: string;
}

export interface GrantCredits {
  readonly type: 'GrantCredits';
  readonly grantId: string;
  readonly amountNanoUsd: bigint;
}

/** `unknown`: no answer, or one that does not say whether the command was carried out. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** An answer to a command. */
export interface Reply {
  readonly outcome: Outcome;
  /** The HTTP status, or our error code if the call was not HTTP; empty without an answer. */
  readonly status: string;
  /** The status with the type and the message of an error. */
  readonly reason: string;
  /** The id that the product gave the request; empty without an answer. */
  readonly requestId: string;
  /** The hash of the key. Empty if the answer names none. */
  readonly hash: string;
}

/** A command and its final result. */
export interface Sent extends Reply {
  readonly command: Command;
  /** Number of times it was sent. Only an idempotent command is sent more than once. */
  readonly attempts: number;
}
