import { catalog, type ErrorCode } from './catalog.ts';

/** A request rate that is used up, for the `X-RateLimit-*` headers. */
export interface UsedUpRate {
  /** Requests per window. */
  readonly limit: number;
  /** Unix time in milliseconds at which the window ends. */
  readonly resetAtMs: number;
}

export interface FaultDetails {
  /** Public text; the catalog's default when absent. Never a secret, never an upstream body. */
  readonly message?: string;
  /** Public, machine-readable facts for `error.metadata` of the envelope. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Whole seconds a client should wait; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Only of a rate limit of our own. */
  readonly rate?: UsedUpRate;
  readonly cause?: unknown;
}

/** A failure of the world: thrown by adapters, translated once at an edge. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly rate: UsedUpRate | undefined;

  constructor(code: ErrorCode, details: FaultDetails = {}) {
    super(details.message ?? catalog[code].message, { cause: details.cause });
    this.name = 'Fault';
    this.code = code;
    this.retryable = catalog[code].retryable;
    this.metadata = details.metadata ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.rate = details.rate;
  }
}

/** A business "no": expected, returned, never thrown, never retried. */
export interface Rejection<Code extends ErrorCode = ErrorCode> {
  readonly rejected: Code;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The client may retry after this time, as with a fault. */
  readonly retryAfterSeconds?: number;
  readonly rate?: UsedUpRate;
}

export function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && 'rejected' in value;
}

/** Used at the edges, where a rejection must leave as an error: keeps code, text and metadata. */
export function rejectionToFault(rejection: Rejection): Fault {
  return new Fault(rejection.rejected, {
    message: rejection.message,
    ...(rejection.metadata && { metadata: rejection.metadata }),
    ...(rejection.retryAfterSeconds !== undefined && {
      retryAfterSeconds: rejection.retryAfterSeconds,
    }),
    ...(rejection.rate && { rate: rejection.rate }),
  });
}

/** Returns the outcome of a command. Throws its rejection as an error. */
export function requireAccepted<Outcome>(outcome: Outcome): Exclude<Outcome, Rejection> {
  if (isRejection(outcome)) throw rejectionToFault(outcome);
  return outcome as Exclude<Outcome, Rejection>;
}
