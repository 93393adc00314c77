import type { LastPart } from '@sluice/inference';
import { isLimit, publicFailure } from '../../answer/failure.ts';

/** The end of a generation in the terms of the response. */
export interface Outcome {
  readonly status: 'completed' | 'incomplete' | 'failed';
  /** `max_output_tokens`, `content_filter`, or the code of the budget that ended a loop of tools. */
  readonly incompleteReason: string | undefined;
  readonly failure: Failure | undefined;
}

export interface Failure {
  /** One of the few codes that a response may name. */
  readonly code: string;
  readonly message: string;
  readonly errorType: string;
}

/** Returns the outcome of a last part. */
export function outcomeOf(part: LastPart, { hasOutput }: { readonly hasOutput: boolean }): Outcome {
  if (part.type === 'finish') return finished(part);
  // A context limit after some output makes the response incomplete, not failed.
  if (hasOutput && isLimit(part)) return incomplete('max_output_tokens');
  return { status: 'failed', incompleteReason: undefined, failure: failureOf(part) };
}

/** Returns the failure with a public message. */
export function failureOf(part: Extract<LastPart, { type: 'error' }>): Failure {
  const { errorType, message } = publicFailure(part);
  return { code: responseErrorCode(errorType), message, errorType };
}

function finished({ reason, budget }: Extract<LastPart, { type: 'finish' }>): Outcome {
  switch (reason) {
    case 'length':
      return incomplete(budget ?? 'max_output_tokens');
    case 'content-filter':
      return incomplete('content_filter');
    case 'stop':
    case 'tool-calls':
      return { status: 'completed', incompleteReason: undefined, failure: undefined };
  }
}

function incomplete(incompleteReason: string): Outcome {
  return { status: 'incomplete', incompleteReason, failure: undefined };
}

function responseErrorCode(errorType: string): string {
  switch (errorType) {
    case 'rate_limit_exceeded':
      return 'rate_limit_exceeded';
    case 'context_length_exceeded':
    case 'invalid_request':
      return 'invalid_prompt';
    case 'content_policy_violation':
      return 'image_content_policy_violation';
    case 'invalid_image':
    case 'image_too_large':
    case 'image_too_small':
      return errorType;
    case 'image_download_failed':
      return 'failed_to_download_image';
    case 'image_not_found':
      return 'image_file_not_found';
    case 'unsupported_image_format':
      return 'unsupported_image_media_type';
    default:
      return 'server_error';
  }
}
