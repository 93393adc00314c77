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

/** Returns the rows of one status: the default public text, and the public type where it is another one. */
const kind =
  (http: number, grpc: GrpcCode, usualType: string, retryable = false) =>
  (message: string, errorType = usualType): CatalogRow => ({
    http,
    grpc,
    errorType,
    message,
    retryable,
  });

const badRequest = kind(400, 'INVALID_ARGUMENT', 'invalid_request');
const unauthenticated = kind(401, 'UNAUTHENTICATED', 'authentication');
const paymentRequired = kind(402, 'FAILED_PRECONDITION', 'payment_required');
const forbidden = kind(403, 'PERMISSION_DENIED', 'permission_denied');
const notFound = kind(404, 'NOT_FOUND', 'not_found');
const tooMany = kind(429, 'RESOURCE_EXHAUSTED', 'rate_limit_exceeded', true);
const badGateway = kind(502, 'UNAVAILABLE', 'provider_unavailable', true);
const unavailable = kind(503, 'UNAVAILABLE', 'provider_overloaded', true);

export const catalog = {
  invalid_request: badRequest('Invalid request parameters'),
  invalid_prompt: badRequest('Invalid prompt', 'invalid_prompt'),
  threads_unsupported: badRequest('No conversation is kept. Send all messages.'),
  model_not_found: badRequest('Model not found'),
  context_length_exceeded: badRequest(
    'The request exceeds the context window of the model',
    'context_length_exceeded',
  ),
  string_too_long: badRequest('A text is too long', 'string_too_long'),
  content_policy_violation: badRequest(
    'The provider refuses this content',
    'content_policy_violation',
  ),
  invalid_image: badRequest('An image cannot be read', 'invalid_image'),
  image_too_large: badRequest('An image is too large', 'image_too_large'),
  image_too_small: badRequest('An image is too small', 'image_too_small'),
  unsupported_image_format: badRequest(
    'An image has a format that is not supported',
    'unsupported_image_format',
  ),
  image_download_failed: badRequest('An image could not be downloaded', 'image_download_failed'),
  image_not_found: notFound('An image was not found', 'image_not_found'),
  authentication_missing: unauthenticated('Missing Authentication header'),
  authentication_invalid: unauthenticated('Invalid credentials'),
  api_key_expired: unauthenticated('API key expired'),
  credits_exhausted: paymentRequired('Insufficient credits'),
  key_limit_exceeded: paymentRequired('Key limit exceeded'),
  token_limit_exceeded: paymentRequired(
    'The request may cost more than is left',
    'token_limit_exceeded',
  ),
  management_key_required: forbidden('Only management keys can perform this operation'),
  inference_key_required: forbidden('Management keys cannot be used for inference'),
  workspace_unavailable: forbidden('Workspace not available for this key'),
  workspace_budget_exceeded: forbidden('Workspace budget exceeded'),
  guardrail_budget_exceeded: forbidden('Guardrail budget exceeded'),
  guardrail_blocked: forbidden('Request blocked by a guardrail'),
  moderation_flagged: forbidden('The input was flagged by moderation'),
  alignment_blocked: forbidden(
    'The answer breaks a rule of the request',
    'content_policy_violation',
  ),
  permission_denied: forbidden('Permission denied'),
  model_unavailable_upstream: notFound('The provider does not have this model'),
  not_found: notFound('Resource not found'),
  stream_gone: notFound('The resource is gone: its stream in the event store was deleted or cut'),
  conflict: kind(
    409,
    'ALREADY_EXISTS',
    'invalid_request',
  )('Resource conflict. Please try again later.'),
  revision_conflict: kind(
    409,
    'ABORTED',
    'invalid_request',
    true,
  )('Resource conflict. Please try again later.'),
  timeout: kind(
    408,
    'DEADLINE_EXCEEDED',
    'timeout',
    true,
  )('Operation timed out. Please try again later.'),
  payload_too_large: kind(
    413,
    'INVALID_ARGUMENT',
    'payload_too_large',
  )('Request payload is too large'),
  unsupported_encoding: kind(
    415,
    'INVALID_ARGUMENT',
    'invalid_request',
  )('The Content-Encoding is not supported'),
  upgrade_required: kind(
    426,
    'UNIMPLEMENTED',
    'invalid_request',
  )('WebSockets are not supported. Send the request over HTTP.'),
  unprocessable: kind(422, 'INVALID_ARGUMENT', 'unprocessable')('Invalid argument'),
  rate_limited: tooMany('Rate limit exceeded'),
  provider_rate_limited: tooMany('The provider is limiting the rate of requests'),
  internal: kind(500, 'INTERNAL', 'server')('Internal Server Error'),
  not_implemented: kind(501, 'UNIMPLEMENTED', 'invalid_request')('Not implemented'),
  provider_unavailable: badGateway('Provider returned error'),
  provider_rejected: badGateway('Provider returned error'),
  unavailable: unavailable('Service temporarily unavailable'),
  credential_unavailable: unavailable('A provider credential of the account cannot be opened'),
  overloaded: unavailable('Too many requests at once. Please try again later.'),
  moderation_unavailable: unavailable('The input cannot be moderated now. Please try again later.'),
  event_store_unavailable: unavailable('Service temporarily unavailable'),
  event_store_diverged: unavailable(
    'The event store is not the one that the read models were made from',
    'event_store_diverged',
  ),
  stream_unreadable: kind(
    503,
    'UNAVAILABLE',
    'stream_unreadable',
  )('The resource is set aside, because one of its events cannot be read'),
  read_model_unavailable: unavailable('Service temporarily unavailable'),
  bus_unavailable: unavailable('Service temporarily unavailable'),
  spool_unavailable: unavailable('Service temporarily unavailable'),
  provider_timeout: kind(
    524,
    'DEADLINE_EXCEEDED',
    'timeout',
    true,
  )('The provider did not answer in time'),
  provider_overloaded: kind(
    529,
    'UNAVAILABLE',
    'provider_overloaded',
    true,
  )('The provider is temporarily overloaded'),
} as const satisfies Record<string, CatalogRow>;

export type ErrorCode = keyof typeof catalog;

/** True when a string that came over a wire is one of our codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalog, value);
}
