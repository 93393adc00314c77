/**
 * The one catalog of codes: what a code means at each edge. Domain code never sees a status.
 * `errorType` is the public vocabulary of the HTTP envelope; `message` is the default public text.
 */
interface CatalogRow {
  readonly http: number;
  readonly grpc: GrpcCode;
  readonly errorType: string;
  readonly message: string;
  readonly retryable: boolean;
}

export type GrpcCode =
  | 'INVALID_ARGUMENT'
  | 'UNAUTHENTICATED'
  | 'FAILED_PRECONDITION'
  | 'PERMISSION_DENIED'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'ABORTED'
  | 'RESOURCE_EXHAUSTED'
  | 'UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'UNIMPLEMENTED'
  | 'INTERNAL';

const row = (
  http: number,
  grpc: GrpcCode,
  errorType: string,
  message: string,
  retryable = false,
): CatalogRow => ({ http, grpc, errorType, message, retryable });

export const catalog = {
  invalid_request: row(400, 'INVALID_ARGUMENT', 'invalid_request', 'Invalid request parameters'),
  invalid_prompt: row(400, 'INVALID_ARGUMENT', 'invalid_prompt', 'Invalid prompt'),
  threads_unsupported: row(
    400,
    'INVALID_ARGUMENT',
    'invalid_request',
    'No conversation is kept. Send all messages.',
  ),
  model_not_found: row(400, 'INVALID_ARGUMENT', 'invalid_request', 'Model not found'),
  context_length_exceeded: row(
    400,
    'INVALID_ARGUMENT',
    'context_length_exceeded',
    'The request exceeds the context window of the model',
  ),
  string_too_long: row(400, 'INVALID_ARGUMENT', 'string_too_long', 'A text is too long'),
  content_policy_violation: row(
    400,
    'INVALID_ARGUMENT',
    'content_policy_violation',
    'The provider refuses this content',
  ),
  invalid_image: row(400, 'INVALID_ARGUMENT', 'invalid_image', 'An image cannot be read'),
  image_too_large: row(400, 'INVALID_ARGUMENT', 'image_too_large', 'An image is too large'),
  image_too_small: row(400, 'INVALID_ARGUMENT', 'image_too_small', 'An image is too small'),
  unsupported_image_format: row(
    400,
    'INVALID_ARGUMENT',
    'unsupported_image_format',
    'An image has a format that is not supported',
  ),
  image_download_failed: row(
    400,
    'INVALID_ARGUMENT',
    'image_download_failed',
    'An image could not be downloaded',
  ),
  image_not_found: row(404, 'NOT_FOUND', 'image_not_found', 'An image was not found'),
  authentication_missing: row(
    401,
    'UNAUTHENTICATED',
    'authentication',
    'Missing Authentication header',
  ),
  authentication_invalid: row(401, 'UNAUTHENTICATED', 'authentication', 'Invalid credentials'),
  api_key_expired: row(401, 'UNAUTHENTICATED', 'authentication', 'API key expired'),
  credits_exhausted: row(402, 'FAILED_PRECONDITION', 'payment_required', 'Insufficient credits'),
  key_limit_exceeded: row(402, 'FAILED_PRECONDITION', 'payment_required', 'Key limit exceeded'),
  token_limit_exceeded: row(
    402,
    'FAILED_PRECONDITION',
    'token_limit_exceeded',
    'The request may cost more than is left',
  ),
  management_key_required: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Only management keys can perform this operation',
  ),
  inference_key_required: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Management keys cannot be used for inference',
  ),
  workspace_unavailable: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Workspace not available for this key',
  ),
  workspace_budget_exceeded: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Workspace budget exceeded',
  ),
  guardrail_budget_exceeded: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Guardrail budget exceeded',
  ),
  guardrail_blocked: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'Request blocked by a guardrail',
  ),
  moderation_flagged: row(
    403,
    'PERMISSION_DENIED',
    'permission_denied',
    'The input was flagged by moderation',
  ),
  permission_denied: row(403, 'PERMISSION_DENIED', 'permission_denied', 'Permission denied'),
  model_unavailable_upstream: row(
    404,
    'NOT_FOUND',
    'not_found',
    'The provider does not have this model',
  ),
  not_found: row(404, 'NOT_FOUND', 'not_found', 'Resource not found'),
  stream_gone: row(
    404,
    'NOT_FOUND',
    'not_found',
    'The resource is gone: its stream in the event store was deleted or cut',
  ),
  conflict: row(
    409,
    'ALREADY_EXISTS',
    'invalid_request',
    'Resource conflict. Please try again later.',
  ),
  revision_conflict: row(
    409,
    'ABORTED',
    'invalid_request',
    'Resource conflict. Please try again later.',
    true,
  ),
  timeout: row(
    408,
    'DEADLINE_EXCEEDED',
    'timeout',
    'Operation timed out. Please try again later.',
    true,
  ),
  payload_too_large: row(
    413,
    'INVALID_ARGUMENT',
    'payload_too_large',
    'Request payload is too large',
  ),
  unsupported_encoding: row(
    415,
    'INVALID_ARGUMENT',
    'invalid_request',
    'The Content-Encoding is not supported',
  ),
  upgrade_required: row(
    426,
    'UNIMPLEMENTED',
    'invalid_request',
    'WebSockets are not supported. Send the request over HTTP.',
  ),
  unprocessable: row(422, 'INVALID_ARGUMENT', 'unprocessable', 'Invalid argument'),
  rate_limited: row(429, 'RESOURCE_EXHAUSTED', 'rate_limit_exceeded', 'Rate limit exceeded', true),
  provider_rate_limited: row(
    429,
    'RESOURCE_EXHAUSTED',
    'rate_limit_exceeded',
    'The provider is limiting the rate of requests',
    true,
  ),
  internal: row(500, 'INTERNAL', 'server', 'Internal Server Error'),
  not_implemented: row(501, 'UNIMPLEMENTED', 'invalid_request', 'Not implemented'),
  provider_unavailable: row(
    502,
    'UNAVAILABLE',
    'provider_unavailable',
    'Provider returned error',
    true,
  ),
  provider_rejected: row(
    502,
    'UNAVAILABLE',
    'provider_unavailable',
    'Provider returned error',
    true,
  ),
  unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Service temporarily unavailable',
    true,
  ),
  credential_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'A provider credential of the account cannot be opened',
    true,
  ),
  overloaded: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Too many requests at once. Please try again later.',
    true,
  ),
  moderation_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'The input cannot be moderated now. Please try again later.',
    true,
  ),
  event_store_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Service temporarily unavailable',
    true,
  ),
  event_store_diverged: row(
    503,
    'UNAVAILABLE',
    'event_store_diverged',
    'The event store is not the one that the read models were made from',
    true,
  ),
  stream_unreadable: row(
    503,
    'UNAVAILABLE',
    'stream_unreadable',
    'The resource is set aside, because one of its events cannot be read',
  ),
  read_model_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Service temporarily unavailable',
    true,
  ),
  bus_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Service temporarily unavailable',
    true,
  ),
  spool_unavailable: row(
    503,
    'UNAVAILABLE',
    'provider_overloaded',
    'Service temporarily unavailable',
    true,
  ),
  provider_timeout: row(
    524,
    'DEADLINE_EXCEEDED',
    'timeout',
    'The provider did not answer in time',
    true,
  ),
  provider_overloaded: row(
    529,
    'UNAVAILABLE',
    'provider_overloaded',
    'The provider is temporarily overloaded',
    true,
  ),
} as const satisfies Record<string, CatalogRow>;

export type ErrorCode = keyof typeof catalog;

/** True when a string that came over a wire is one of our codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalog, value);
}
