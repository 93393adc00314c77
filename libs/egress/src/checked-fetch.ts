import { type Dispatcher, fetch as undiciFetch } from 'undici';
import { EgressError, failureFrom, isEgressFailure } from './failure.ts';
import { parseTarget, type TargetRules } from './target.ts';

/** Bounds a reply that is read as it comes. */
export interface StreamLimits {
  /** Decoded bytes of a reply. */
  readonly bytesMax: number;
}

/**
 * Returns a `fetch` for the clients of protocols. It checks the URL, follows no redirect, and bounds the body that its
 * caller reads. Its headers and the gaps in its body have the time limits of the egress. It rejects with an
 * EgressError.
 */
export function checkedFetch(
  dispatcher: Dispatcher,
  rules: TargetRules,
  { bytesMax }: StreamLimits,
): (input: string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const url = parseTarget(input, rules);
    if (isEgressFailure(url)) throw new EgressError(url);
    const response = await (undiciFetch as unknown as typeof fetch)(url, {
      ...init,
      redirect: 'manual',
      dispatcher,
    } as unknown as RequestInit).catch((error: unknown) => {
      // A caller that cancels gets its own reason.
      if (init?.signal?.aborted) throw error;
      throw new EgressError(failureFrom(error));
    });
    if (response.status >= 300 && response.status < 400 && response.headers.has('location')) {
      await response.body?.cancel();
      throw new EgressError({
        reason: 'redirects',
        message: 'The server redirects, and redirects are not followed',
      });
    }
    return response.body === null ? response : bounded(response, bytesMax);
  };
}

function bounded(response: Response, bytesMax: number): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) controller.enqueue(chunk);
      else
        controller.error(
          new EgressError({ reason: 'too_large', message: 'The body is too large' }),
        );
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(counter), { status, statusText, headers });
}
