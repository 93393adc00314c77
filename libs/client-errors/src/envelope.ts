import { catalog, type Fault } from '@sluice/errors';

/** The body of every public error; `code` is the HTTP status. */
export interface ErrorEnvelope {
  readonly error: {
    readonly code: number;
    readonly message: string;
    /** Why a model cannot be served, and whether it is worth trying again. */
    readonly availability?: unknown;
    readonly metadata: { readonly error_type: string } & Readonly<Record<string, unknown>>;
  };
}

/** Returns the body of an error for a client. A 500 shows nothing but that it happened. */
export function errorEnvelope(fault: Fault): ErrorEnvelope {
  const { http, errorType, message } = catalog[fault.code];
  if (http === 500) return { error: { code: http, message, metadata: { error_type: errorType } } };
  const { availability, ...facts } = fault.metadata;
  const metadata = { ...facts, error_type: errorType };
  return {
    error: {
      code: http,
      message: fault.message,
      ...(availability !== undefined && { availability }),
      metadata,
    },
  };
}
