import { Fault, type ErrorCode, type FaultDetails } from '@sluice/errors';
import type { Endpoint } from './endpoint.ts';
import { tellsSecrets } from './secrets.ts';
import type { UpstreamError } from './upstream-error.ts';

interface Refusal {
  readonly status: number;
  readonly refusesSystemMessages?: boolean;
}

/** A refusal with the HTTP status that the provider sent. */
export class UpstreamFault extends Fault {
  readonly upstreamStatus: number;
  /** The server takes only one system message. */
  readonly refusesSystemMessages: boolean;

  constructor(
    code: ErrorCode,
    details: FaultDetails,
    { status, refusesSystemMessages = false }: Refusal,
  ) {
    super(code, details);
    this.upstreamStatus = status;
    this.refusesSystemMessages = refusesSystemMessages;
  }
}

/** The facts of a refusal except its body. */
interface Refused {
  readonly cause?: unknown;
  /** Absent if the error was inside a 200, or if there was no answer. */
  readonly status?: number;
  readonly wait?: number | undefined;
  readonly refusesSystemMessages?: boolean;
}

/** Returns the fault of an attempt. Omits a message or code that contains a secret of the endpoint. */
export function faultOf(
  endpoint: Endpoint,
  error: UpstreamError,
  { cause, status, wait, refusesSystemMessages = false }: Refused = {},
): Fault {
  const seconds = wait ?? error.waitSeconds;
  const details = {
    ...(!tellsSecrets(endpoint, error.message) && { message: error.message }),
    ...(error.providerCode !== undefined &&
      !tellsSecrets(endpoint, error.providerCode) && {
        metadata: { provider_code: error.providerCode },
      }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    cause,
  };
  return status === undefined
    ? new Fault(error.code, details)
    : new UpstreamFault(error.code, details, { status, refusesSystemMessages });
}
