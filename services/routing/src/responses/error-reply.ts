import { catalog, Fault, isRejection, rejectionToFault } from '@sluice/errors';
import { errorEnvelope, type InferenceReply, type StreamPart } from '@sluice/inference';

/** Anything that went wrong, as a fault. What is neither a fault nor a rejection is our own error. */
export function faultOf(error: unknown): Fault {
  if (error instanceof Fault) return error;
  return isRejection(error) ? rejectionToFault(error) : new Fault('internal', { cause: error });
}

/** The reply to a request that failed before its first output. */
export function errorReply(error: unknown): InferenceReply {
  const fault = faultOf(error);
  return {
    status: catalog[fault.code].http,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(fault.retryAfterSeconds !== undefined && {
        'retry-after': String(fault.retryAfterSeconds),
      }),
    },
    body: Buffer.from(JSON.stringify(errorEnvelope(fault))),
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
