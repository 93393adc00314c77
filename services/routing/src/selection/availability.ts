const docsUrl = '/docs#model-availability';

/** Details of a model that cannot be served, beside the error itself. */
export interface Availability {
  readonly code: string;
  readonly retryable: boolean;
  readonly requested_models: readonly string[];
  readonly docs_url: string;
  readonly retry_after?: number;
  readonly affected_providers?: readonly string[];
  readonly excluded_by?: readonly string[];
  readonly constraint?: { readonly field: string; readonly detail: string };
  readonly fallback_models?: readonly string[];
}

export function availability(
  code: string,
  requested: readonly string[],
  more: Partial<Availability> = {},
): Availability {
  const [, ...fallbacks] = requested;
  return {
    code,
    retryable: false,
    requested_models: requested,
    docs_url: docsUrl,
    ...(fallbacks.length > 0 && { fallback_models: fallbacks }),
    ...more,
  };
}
