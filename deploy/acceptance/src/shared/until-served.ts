import { setTimeout as delay } from 'node:timers/promises';

const closed: ReadonlySet<string> = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);

/** After so many refusals a server is not busy but broken, and the test shows the last one. */
const repeatsMax = 60;

/**
 * Asks again when the answer is that Sluice has too much to do, and when to come back, as every client does. A busy
 * machine is no reason for a test to fail.
 */
export async function untilServed(ask: () => Promise<Response>): Promise<Response> {
  for (let repeats = 0; ; repeats++) {
    const response = await onOpenConnection(ask);
    const seconds = Number(response.headers.get('retry-after') ?? 0);
    if (response.status !== 503 || seconds === 0 || repeats === repeatsMax) return response;
    // A generation was admitted: its provider failed.
    if (response.headers.has('x-generation-id')) return response;
    if (!(await response.clone().text()).includes('provider_overloaded')) return response;
    await response.body?.cancel();
    await delay(seconds * 1_000);
  }
}

/**
 * Asks once more when the connection is closed before an answer. A server closes those that nobody used for long, and
 * a test that computed meanwhile may take one at that moment. A request that the server breaks off itself fails again.
 */
async function onOpenConnection(ask: () => Promise<Response>): Promise<Response> {
  return await ask().catch(async (error: unknown) => {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    if (!closed.has(cause?.code ?? '')) throw error;
    return await ask();
  });
}
