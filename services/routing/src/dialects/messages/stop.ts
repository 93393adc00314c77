import type { StopDetails, LastPart } from '@sluice/inference';
import { anthropicErrorType, anthropicMessage } from '@sluice/client-errors';
import type { AlignmentResult } from '../../request/alignment.ts';
import { isLimit, publicFailure } from '../answer/failure.ts';
import type { StreamWriter } from '../dialect.ts';

/** The end of an answer in the words of this dialect. */
export interface Stop {
  readonly status: NonNullable<StreamWriter['status']>;
  /** null if the answer broke. */
  readonly reason: string | null;
  /** The text of `stop_sequences` that ended the answer. */
  readonly sequence: string | null;
  /** The provider's words about its refusal. */
  readonly details: RefusalDetails | null;
  readonly error: WireError | undefined;
  /** The HTTP status of the answer, if it comes whole. */
  readonly http: number;
}

interface RefusalDetails extends StopDetails {
  readonly type: 'refusal';
}

export interface WireError {
  readonly type: string;
  readonly message: string;
  readonly error_type: string;
  readonly metadata?: { readonly alignment: AlignmentResult };
}

interface Told {
  readonly hasOutput: boolean;
  readonly hasCalls: boolean;
  readonly hasRefused: boolean;
}

/** Reasons of this dialect that its own providers give and that the canonical language has no word for. */
const ownReasons: ReadonlySet<unknown> = new Set([
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'compaction',
]);

/** Returns the end that a last part reports, in view of the parts that were sent before it. */
export function stopOf(part: LastPart, { hasOutput, hasCalls, hasRefused }: Told): Stop {
  if (part.type === 'error') {
    if (!hasOutput || !isLimit(part))
      return { ...failed, error: errorOf(part), http: publicFailure(part).http };
    const isWindow = part.code === 'context_length_exceeded';
    return { ...cut, reason: isWindow ? 'model_context_window_exceeded' : 'max_tokens' };
  }
  const { reason, nativeReason, budget, stopSequence, stopDetails } = part;
  const own = ownReasons.has(nativeReason) ? (nativeReason ?? null) : undefined;
  switch (reason) {
    case 'length':
      // A client that goes on is told which budget it was.
      return { ...cut, reason: budget ? 'pause_turn' : (own ?? 'max_tokens') };
    case 'content-filter':
      return { ...cut, reason: 'refusal', details: stopDetails ? refusalOf(stopDetails) : null };
    case 'stop':
    case 'tool-calls': {
      const word = hasCalls ? 'tool_use' : (own ?? (hasRefused ? 'refusal' : 'end_turn'));
      return {
        status: 'completed',
        reason: word,
        sequence: stopSequence ?? null,
        details: null,
        http,
        error: undefined,
      };
    }
  }
}

/** The status of an answer that did not fail. */
const http = 200;
const cut = {
  status: 'incomplete',
  sequence: null,
  details: null,
  error: undefined,
  http,
} as const;
const failed = { status: 'failed', reason: null, sequence: null, details: null } as const;

function refusalOf(details: StopDetails): RefusalDetails {
  return { type: 'refusal', ...details };
}

/** Returns an error with the judgments of the answers before it. */
export function withAlignment(error: WireError, alignment: AlignmentResult | undefined): WireError {
  return alignment && alignment.calls.length > 0 ? { ...error, metadata: { alignment } } : error;
}

/** Returns the public form of a failure. */
export function errorOf(part: Extract<LastPart, { type: 'error' }>): WireError {
  const { errorType, message } = publicFailure(part);
  return {
    type: anthropicErrorType(errorType),
    message: anthropicMessage(part.code, message),
    error_type: errorType,
  };
}
