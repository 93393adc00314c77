import { catalog, type ErrorCode, type Fault } from '@sluice/errors';
import { promptTooLong } from './prompt-too-long.ts';

/** Returns `error.type` of this dialect for an `error_type` (contract inference.md 28). */
export function anthropicErrorType(errorType: string): string {
  return kinds[errorType] ?? 'api_error';
}

const kinds: Readonly<Record<string, string>> = {
  authentication: 'authentication_error',
  permission_denied: 'permission_error',
  payment_required: 'billing_error',
  not_found: 'not_found_error',
  image_not_found: 'not_found_error',
  rate_limit_exceeded: 'rate_limit_error',
  provider_overloaded: 'overloaded_error',
  timeout: 'timeout_error',
  payload_too_large: 'request_too_large',
  ...Object.fromEntries(
    [
      'context_length_exceeded',
      'max_tokens_exceeded',
      'token_limit_exceeded',
      'string_too_long',
      'invalid_request',
      'invalid_prompt',
      'precondition_failed',
      'unprocessable',
      'content_policy_violation',
      'refusal',
      'invalid_image',
      'image_too_large',
      'image_too_small',
      'unsupported_image_format',
      'image_download_failed',
    ].map((type) => [type, 'invalid_request_error']),
  ),
};

/** Returns a public message in the words of this dialect. */
export function anthropicMessage(code: ErrorCode, message: string): string {
  return code === 'context_length_exceeded' ? promptTooLong(message) : message;
}

/** The body of an error in Anthropic's format. */
export interface AnthropicErrorEnvelope {
  readonly type: 'error';
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly error_type: string;
    readonly details?: Readonly<Record<string, unknown>>;
    /** Judgments of answers. Absent: there are none. */
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
  /** The generation; null if there is none yet. */
  readonly request_id: string | null;
}

/** The SDKs of Anthropic send the whole conversation again when they read these words. */
const threadDetails = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };

/** Returns the body of an error for a client of this format. A 500 shows nothing but that it happened. */
export function anthropicErrorEnvelope(
  fault: Fault,
  generationId: string | undefined,
): AnthropicErrorEnvelope {
  const { http, errorType, message } = catalog[fault.code];
  const { alignment } = fault.metadata;
  return {
    type: 'error',
    error: {
      type: anthropicErrorType(errorType),
      message: http === 500 ? message : anthropicMessage(fault.code, fault.message),
      error_type: errorType,
      ...(fault.code === 'threads_unsupported' && { details: threadDetails }),
      ...(alignment !== undefined && http !== 500 && { metadata: { alignment } }),
    },
    request_id: generationId ?? null,
  };
}
