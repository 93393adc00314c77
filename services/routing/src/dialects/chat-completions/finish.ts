import type { LastPart } from '@sluice/inference';
import type { StreamWriter } from '../dialect.ts';
import type { AlignmentResult } from '../../request/alignment.ts';
import { isLimit, publicFailure } from '../answer/failure.ts';

type FinishWord = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter' | 'error';

/** The end of an answer in the words of this dialect. */
export interface Finish {
  readonly status: NonNullable<StreamWriter['status']>;
  readonly reason: FinishWord;
  readonly nativeReason: string | null;
  readonly error: WireError | undefined;
}

/** The error of an answer that broke. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly metadata: {
    readonly error_type: string;
    readonly provider_code?: string;
    readonly alignment?: AlignmentResult;
  };
}

interface Told {
  readonly hasOutput: boolean;
  readonly hasCalls: boolean;
  readonly isLegacy: boolean;
}

/** Returns the end that a last part reports, in view of the parts that were sent before it. */
export function finishOf(part: LastPart, { hasOutput, hasCalls, isLegacy }: Told): Finish {
  if (part.type === 'error') {
    const isCut = hasOutput && isLimit(part);
    const { nativeReason } = failed;
    return isCut ? { ...cut, nativeReason } : { ...failed, error: errorOf(part) };
  }
  const nativeReason = part.nativeReason ?? null;
  switch (part.reason) {
    case 'length':
      return { ...cut, nativeReason };
    case 'content-filter':
      return { ...cut, reason: 'content_filter', nativeReason };
    case 'stop':
    case 'tool-calls': {
      const called = isLegacy ? 'function_call' : 'tool_calls';
      const reason = hasCalls ? called : 'stop';
      return { status: 'completed', reason, nativeReason, error: undefined };
    }
  }
}

const cut = { status: 'incomplete', reason: 'length', error: undefined } as const;
const failed = { status: 'failed', reason: 'error', nativeReason: null } as const;

/** Returns an error with the judgments of the answers before it. */
export function withAlignment(error: WireError, alignment: AlignmentResult | undefined): WireError {
  if (!alignment || alignment.calls.length === 0) return error;
  return { ...error, metadata: { ...error.metadata, alignment } };
}

/** Returns the public form of a failure. */
export function errorOf(part: Extract<LastPart, { type: 'error' }>): WireError {
  const { http, errorType, message, providerCode } = publicFailure(part);
  return {
    code: http,
    message,
    metadata: {
      error_type: errorType,
      ...(providerCode !== undefined && { provider_code: providerCode }),
    },
  };
}
