/**
 * The reason why a call has no reply.
 * `invalid_url`: the URL is malformed, names a user, or has a protocol or port that is not allowed.
 * `forbidden_address`: the host is, or resolves to, an address that is not public. `not_permitted`: the caller's own
 * rule refuses the URL. `unknown_host`: the name does not resolve. `unreachable`: no connection, or it broke.
 * `late`: the time is over. `too_large`: the headers or the body exceed their bound. `redirects`: the reply is a
 * redirect, and no more are followed. `malformed`: the reply is no HTTP, or its encoding is broken.
 * `canceled`: the caller has left.
 */
export type EgressFailureReason =
  | 'invalid_url'
  | 'forbidden_address'
  | 'not_permitted'
  | 'unknown_host'
  | 'unreachable'
  | 'late'
  | 'too_large'
  | 'redirects'
  | 'malformed'
  | 'canceled';

export interface EgressFailure {
  readonly reason: EgressFailureReason;
  /** A sentence for the caller. It names a host at most: no address, no query. */
  readonly message: string;
}

/** A failure where the form of the call demands a throw. */
export class EgressError extends Error implements EgressFailure {
  override readonly name = 'EgressError';
  readonly reason: EgressFailureReason;

  constructor(failure: EgressFailure) {
    super(failure.message);
    this.reason = failure.reason;
  }
}

/** Returns true if an error, or a cause of it, is that an address may not be called. */
export function isForbiddenAddress(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof EgressError && cause.reason === 'forbidden_address') return true;
  return false;
}

export function isEgressFailure(value: object): value is EgressFailure {
  return 'reason' in value;
}

const systemMessages: Readonly<Record<string, EgressFailure>> = {
  UND_ERR_CONNECT_TIMEOUT: { reason: 'late', message: 'The server did not accept a connection' },
  UND_ERR_HEADERS_TIMEOUT: { reason: 'late', message: 'The server sent no answer in time' },
  UND_ERR_BODY_TIMEOUT: { reason: 'late', message: 'The server stopped sending' },
  UND_ERR_HEADERS_OVERFLOW: { reason: 'too_large', message: 'The headers are too large' },
  HPE_HEADER_OVERFLOW: { reason: 'too_large', message: 'The headers are too large' },
  ECONNREFUSED: { reason: 'unreachable', message: 'The server refused the connection' },
};

/** Returns the failure that an error of the network means. Its text may quote an address, so it is not returned. */
export function failureFrom(error: unknown): EgressFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return { reason: cause.reason, message: cause.message };
    // The code of a DOMException is a number.
    const code = String((cause as NodeJS.ErrnoException).code);
    const known = systemMessages[code];
    if (known) return known;
    if (code.startsWith('HPE_') || cause.name === 'HTTPParserError') return noHttp;
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_FORMAT')) return brokenEncoding;
    if (/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) return noTrust;
  }
  return { reason: 'unreachable', message: 'The connection to the server failed' };
}

export const brokenEncoding: EgressFailure = {
  reason: 'malformed',
  message: 'The encoding of the body is broken or not supported',
};

const noHttp: EgressFailure = { reason: 'malformed', message: 'The answer is not HTTP' };
const noTrust: EgressFailure = {
  reason: 'unreachable',
  message: "The server's certificate is not trusted",
};
