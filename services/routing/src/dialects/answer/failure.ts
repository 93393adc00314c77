import { catalog, type ErrorCode } from '@sluice/errors';
import type { StreamPart } from '@sluice/inference';

type FailedPart = Extract<StreamPart, { type: 'error' }>;

/** A failure that a client may read. */
export interface PublicFailure {
  readonly http: number;
  readonly errorType: string;
  readonly message: string;
  /** The upstream's own code. */
  readonly providerCode: string | undefined;
}

/** Returns the failure of a generation. A 500 shows nothing but that it happened. */
export function publicFailure({ code, message, providerCode }: FailedPart): PublicFailure {
  const { http, errorType, message: masked } = catalog[code];
  if (http === 500) return { http, errorType, message: masked, providerCode: undefined };
  return { http, errorType, message, providerCode };
}

const limits: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'context_length_exceeded',
  'token_limit_exceeded',
  'string_too_long',
]);

/** Returns true for a limit of the model. After some output it makes an answer incomplete, not failed. */
export function isLimit({ code }: FailedPart): boolean {
  return limits.has(code);
}
