import { Metadata, status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import { catalog, Fault, isErrorCode, type ErrorCode } from '@sluice/errors';

/** Trailing metadata that carries our own code, text and facts across the wire. */
const codeKey = 'sluice-code';
const factsKey = 'sluice-facts-bin';

/** A fault keeps its code; anything else is a bug: reported, then masked. */
export function faultToStatus(error: unknown, onBug: () => void = () => {}): Partial<StatusObject> {
  const fault = typeof error === 'string' && isErrorCode(error) ? new Fault(error) : error;
  if (!(fault instanceof Fault)) {
    onBug();
    return faultToStatus('internal' satisfies ErrorCode);
  }
  const metadata = new Metadata();
  metadata.set(codeKey, fault.code);
  const facts = { metadata: fault.metadata, retryAfterSeconds: fault.retryAfterSeconds };
  metadata.set(factsKey, Buffer.from(JSON.stringify(facts)));
  return { code: status[catalog[fault.code].grpc], details: fault.message, metadata };
}

/**
 * Returns the fault that the other side threw; `unavailable` when the call itself failed. A deadline that passed is
 * such a failure: the service is away, or waits for something that is. It does not mean that the client was slow (408).
 */
export function statusToFault(error: ServiceError): Fault {
  const code = error.metadata?.get(codeKey)[0];
  if (isErrorCode(code)) {
    const facts = parseFacts(error.metadata.get(factsKey)[0]);
    return new Fault(code, { message: error.details, cause: error, ...facts });
  }
  return new Fault('unavailable', { cause: error });
}

function parseFacts(bytes: unknown): {
  metadata?: Record<string, unknown>;
  retryAfterSeconds?: number;
} {
  try {
    return JSON.parse(String(bytes)) as ReturnType<typeof parseFacts>;
  } catch {
    return {};
  }
}
