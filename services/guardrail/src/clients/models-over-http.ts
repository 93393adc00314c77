import { Fault } from '@sluice/errors';
import { internalHttp } from '@sluice/inference';
import type { ListModels } from './catalogue.ts';

export interface RoutingAddress {
  /** `http://host:port` of routing's internal server. */
  readonly url: string;
  readonly token: string;
}

const timeoutMs = 2_000;

/** The public list of models from routing. Asked a few times a day: no pool is kept for it. */
export function modelsOverHttp({ url, token }: RoutingAddress): ListModels {
  return async () => {
    try {
      const reply = await fetch(new URL(internalHttp.modelsPath, url), {
        headers: { [internalHttp.tokenHeader]: token },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: reply.status, body: new Uint8Array(await reply.arrayBuffer()) };
    } catch (cause) {
      throw new Fault('unavailable', { cause });
    }
  };
}
