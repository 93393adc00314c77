import { Fault, type ErrorCode, type FaultDetails } from '@sluice/errors';
import type { Endpoint } from './endpoint.ts';
import { tellsSecrets } from './secrets.ts';
import type { UpstreamError } from './upstream-error.ts';

/** A refusal that came with an HTTP status of the provider's own. */
export class UpstreamFault extends Fault {
  readonly upstreamStatus: number;

  constructor(code: ErrorCode, details: FaultDetails, upstreamStatus: number) {
    super(code, details);
    this.upstreamStatus = upstreamStatus;
  }
}

/** The facts of a refusal beside its body. */
interface Refused {
  readonly cause?: unknown;
  /** Absent: it came inside a 200, or there was no answer. */
  readonly status?: number;
  readonly wait?: number | undefined;
}

/** The fault of an attempt. What would tell a secret of the endpoint is left out. */
export function faultOf(
  endpoint: Endpoint,
  error: UpstreamError,
  { cause, status, wait }: Refused = {},
): Fault {
  const details = {
    ...(!tellsSecrets(endpoint, error.message) && { message: error.message }),
    ...(error.providerCode !== undefined &&
      !tellsSecrets(endpoint, error.providerCode) && {
        metadata: { provider_code: error.providerCode },
      }),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
    cause,
  };
  return status === undefined
    ? new Fault(error.code, details)
    : new UpstreamFault(error.code, details, status);
}
