const askTimeoutMs = 2_000;

/** The readiness of a service with its reasons. */
export interface Readiness {
  readonly isReady: boolean;
  readonly reasons: readonly string[];
}

/** Asks `/readyz` once. undefined: it does not answer. */
export async function readinessAt(adminUrl: string): Promise<Readiness | undefined> {
  try {
    const signal = AbortSignal.timeout(askTimeoutMs);
    const response = await fetch(`${adminUrl}/readyz`, { signal });
    const { reasons = [] } = (await response.json()) as { readonly reasons?: readonly string[] };
    return { isReady: response.ok, reasons };
  } catch {
    return undefined;
  }
}
