import type { Contents } from '@sluice/generation-contents';
import type { Destination } from '../domain/destination.ts';
import type { FinishedGeneration } from '../domain/generation.ts';

/** A generation that a destination gets. */
export interface Observed {
  readonly generation: FinishedGeneration;
  /** Messages and output. Undefined: the destination does not want them, or there are none. */
  readonly contents: Contents | undefined;
}

/** An HTTP request to a destination. */
export interface SenderRequest {
  readonly url: string;
  readonly method: 'POST' | 'PUT';
  /** Names in lower case. The headers of the destination are added to them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string;
}

export interface SenderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB. */
  readonly body: Uint8Array;
}

/** `retry`: the same requests may be taken later. `refused`: they never will be, as they are. */
export type SendOutcome =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'retry'; readonly retryAfterMs?: number }
  | { readonly outcome: 'refused' };

export interface SenderSurroundings {
  readonly now: Date;
}

/** Knows how a type of destination takes generations. It is pure: the delivery sends the requests. */
export interface Sender {
  /** Generations in one call of `requests` at most. */
  readonly batchMax: number;
  /**
   * Returns the requests that deliver these generations, which are sent one after the other. The same generation gives
   * the same ids each time, because it may be sent again. A rejected promise counts as refused.
   */
  requests(
    destination: Destination,
    batch: readonly Observed[],
    surroundings: SenderSurroundings,
  ): Promise<readonly SenderRequest[]>;
  /** Judges an answer, where the status alone is not enough. Absent: `judgeStatus`. */
  judge?(reply: SenderReply, surroundings: SenderSurroundings): SendOutcome;
}
