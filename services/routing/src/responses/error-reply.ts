import { catalog, Fault, isRejection, rejectionToFault, retryAfterSecondsOf } from '@sluice/errors';
import type { ServiceMetadata } from './service-metadata.ts';
import { errorEnvelope, type InferenceReply, type StreamPart } from '@sluice/inference';

/** Anything that went wrong, as a fault. What is neither a fault nor a rejection is our own error. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return isRejection(error) ? rejectionToFault(error) : new Fault('internal', { cause: error });
}

/** The reply to a request that failed before its first output; of a bug nothing is told. */
export function errorReply(error: unknown, metadata?: ServiceMetadata): InferenceReply {
  const fault = faultOf(error);
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
    body: Buffer.from(JSON.stringify({ ...errorEnvelope(fault), ...told })),
  };
}

/** The last part of a generation that failed on our side after its first output. */
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
