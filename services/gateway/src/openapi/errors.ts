import { catalog, Fault, type ErrorCode } from '@sluice/errors';
import { type ErrorFormat, errorFormats } from '@sluice/client-errors';

/** The code that stands for a status where the API's description shows one error of it. */
const shown: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'authentication_missing',
  402: 'credits_exhausted',
  403: 'permission_denied',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_encoding',
  422: 'unprocessable',
  429: 'rate_limited',
  500: 'internal',
  501: 'not_implemented',
  502: 'provider_unavailable',
  503: 'unavailable',
  524: 'provider_timeout',
  529: 'provider_overloaded',
};

/** Statuses whose replies may say when to try again. */
const waits: readonly number[] = [408, 409, 429, 503, 529];
const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const wholeNumber = (description: string) => ({ description, schema: { type: 'integer' } });

/** The headers of errors, by name. */
export const errorHeaders = {
  'X-Request-Id': {
    description: 'The id of this request, for questions about it.',
    schema: { type: 'string' },
  },
  'Retry-After': wholeNumber('Seconds after which to try again.'),
  'X-RateLimit-Limit': wholeNumber('Requests per minute that are allowed.'),
  'X-RateLimit-Remaining': wholeNumber('Requests that are left: 0.'),
  'X-RateLimit-Reset': wholeNumber('Unix time in milliseconds at which the whole limit is back.'),
};

const text = (description: string, ...example: readonly string[]) => ({
  type: 'string',
  description,
  ...(example.length > 0 && { examples: example }),
});
const texts = (description: string) => ({
  type: 'array',
  description,
  items: { type: 'string' },
});

const issue = {
  type: 'object',
  required: ['path', 'message'],
  properties: {
    path: text('Where in the request.', 'input'),
    message: text('What is wrong there.', 'must be a string'),
  },
};

/** Why a model cannot be served. */
const availability = {
  type: 'object',
  description: 'Where a model cannot be served: why, and whether it is worth trying again.',
  required: ['code', 'retryable', 'requested_models', 'docs_url'],
  additionalProperties: false,
  properties: {
    code: text('Why, as one word.'),
    retryable: { type: 'boolean', description: 'Whether the same request may be answered later.' },
    requested_models: texts('The models that the request named.'),
    docs_url: text('Where the documentation explains the code.'),
    retry_after: { type: 'integer', description: 'Seconds.' },
    affected_providers: texts('The providers that failed or were excluded.'),
    excluded_by: texts('The filters that excluded endpoints.'),
    constraint: {
      type: 'object',
      description: 'The wish of the request that no endpoint fulfils.',
      required: ['field', 'detail'],
      additionalProperties: false,
      properties: {
        field: text('Its path in the request.'),
        detail: text('What was asked, and what there is.'),
      },
    },
    fallback_models: texts('Models that may be asked instead.'),
  },
};

/** The envelope of every error. */
const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      description: 'What went wrong.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.', examples: [400] },
        message: text('A sentence for people.', catalog.invalid_request.message),
        availability,
        metadata: {
          type: ['object', 'null'],
          description: 'More about the error, for programs.',
          properties: {
            error_type: {
              type: 'string',
              description: 'A stable name of the kind of error.',
              enum: [...new Set(Object.values(catalog).map(({ errorType }) => errorType))],
            },
            reason: text('The reason, as one word.', 'key_expired'),
            issues: {
              type: 'array',
              description: 'Everything that is wrong with the request.',
              items: issue,
            },
          },
        },
      },
    },
    service_metadata: { type: ['object', 'null'], description: 'How the request was routed.' },
    user_id: { type: ['string', 'null'], description: 'Id of the user.', examples: ['user_1'] },
  },
};

/** The envelope of errors in Anthropic's format. */
const anthropicErrorSchema = {
  type: 'object',
  required: ['type', 'error', 'request_id'],
  properties: {
    type: { type: 'string', description: 'The kind of object.', const: 'error' },
    error: {
      type: 'object',
      description: 'What went wrong.',
      required: ['type', 'message', 'error_type'],
      properties: {
        type: text('The kind of the error, in the words of this format.', 'invalid_request_error'),
        message: text('A sentence for people.', catalog.invalid_request.message),
        error_type: text('A stable name of the kind of error.', catalog.invalid_request.errorType),
        details: {
          type: 'object',
          description: 'Words for the SDKs of Anthropic: why a request with `thread` is refused.',
        },
      },
    },
    request_id: {
      type: ['string', 'null'],
      description: 'Id of the generation; null: there is none yet.',
    },
    service_metadata: { type: ['object', 'null'], description: 'How the request was routed.' },
  },
};

const schemaNames = { service: 'Error', codex: 'Error', anthropic: 'AnthropicError' } as const;

/** The envelopes, by the name of their schema. */
export const errorSchemas = { Error: errorSchema, AnthropicError: anthropicErrorSchema };

export const errorResponseName = (status: number, format: ErrorFormat) =>
  `${schemaNames[format]}${status}`;

/** One response per format and status that some route may fail with. */
export const errorResponses = Object.fromEntries(
  (['service', 'anthropic'] as const).flatMap((format) =>
    Object.entries(shown).map(([status, code]) => [
      errorResponseName(Number(status), format),
      errorResponse(Number(status), code, format),
    ]),
  ),
);

function errorResponse(status: number, code: ErrorCode, format: ErrorFormat): object {
  const names = ['X-Request-Id'];
  if (waits.includes(status)) names.push('Retry-After');
  if (status === 429) names.push(...rateHeaders);
  return {
    description: catalog[code].message,
    headers: Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaNames[format]}` },
        example: errorFormats[format](new Fault(code), {}),
      },
    },
  };
}
