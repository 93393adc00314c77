import { catalog, Fault, isRejection, rejectionToFault, retryAfterSecondsOf } from '@sluice/errors';
import { anthropicErrorEnvelope } from './anthropic-error.ts';
import { codexErrorEnvelope } from './codex-error.ts';
import { errorEnvelope } from './envelope.ts';
import type { StreamPart } from '@sluice/inference';
import type { ClientApplication, InferenceReply } from '@sluice/inference-port';

/** Returns any error as a fault. An error that is neither a fault nor a rejection becomes `internal`. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return isRejection(error) ? rejectionToFault(error) : new Fault('internal', { cause: error });
}

/** Facts of a response that an error reports. */
export interface ErrorContext {
  readonly metadata?: object | undefined;
  /** Further facts for `metadata` of the error. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Absent before the response has one. */
  readonly generationId?: string | undefined;
  readonly client?: ClientApplication | undefined;
}

/** The forms of errors, by the API format of the client. */
export const errorFormats = {
  service: errorEnvelope,
  codex: codexErrorEnvelope,
  anthropic: (fault: Fault, { generationId }: ErrorContext) =>
    anthropicErrorEnvelope(fault, generationId),
} satisfies Readonly<Record<string, (fault: Fault, context: ErrorContext) => object>>;
export type ErrorFormat = keyof typeof errorFormats;

/** Returns the reply to a request that failed before its first output. A bug shows no metadata. */
export function errorReply(
  error: unknown,
  context: ErrorContext = {},
  format: ErrorFormat = 'service',
): InferenceReply {
  const fault = withDetails(faultOf(error), context);
  const { metadata } = context;
  const isTold = metadata !== undefined && catalog[fault.code].http !== catalog.internal.http;
  const told = isTold ? { service_metadata: metadata } : {};
  const waitSeconds = retryAfterSecondsOf(fault);
  return {
    status: catalog[fault.code].http,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(waitSeconds !== undefined && { 'retry-after': String(waitSeconds) }),
      ...(fault.rate && {
        'x-ratelimit-limit': String(fault.rate.limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(fault.rate.resetAtMs),
      }),
    },
    body: JSON.stringify({ ...errorFormats[format](fault, context), ...told }),
  };
}

function withDetails(fault: Fault, { details }: ErrorContext): Fault {
  if (!details) return fault;
  const { code, message, retryAfterSeconds, rate, cause } = fault;
  const metadata = { ...fault.metadata, ...details };
  return new Fault(code, {
    message,
    metadata,
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(rate && { rate }),
  });
}

/** Returns the last part of a generation that failed on our side after its first output. */
export function failurePart(error: unknown): Extract<StreamPart, { type: 'error' }> {
  const fault = faultOf(error);
  return {
    type: 'error',
    code: fault.code,
    message: fault.message,
    providerCode: undefined,
    usage: undefined,
  };
}
