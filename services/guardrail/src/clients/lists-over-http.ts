import { Fault } from '@sluice/errors';
import { internalHttp } from '@sluice/inference-port';
import type { PublicList, ReadList } from './catalog.ts';

export interface RoutingAddress {
  /** `http://host:port` of routing's internal server. */
  readonly url: string;
  readonly token: string;
}

const timeoutMs = 2_000;

const paths: Readonly<Record<PublicList, string>> = {
  models: internalHttp.modelsPath,
  providers: `${internalHttp.catalogPath}providers`,
};

/** The public lists of routing. Asked a few times a day: no pool is kept for it. */
export function listsOverHttp({ url, token }: RoutingAddress): ReadList {
  return async (list) => {
    try {
      const reply = await fetch(new URL(paths[list], url), {
        headers: { [internalHttp.tokenHeader]: token },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { status: reply.status, body: new Uint8Array(await reply.arrayBuffer()) };
    } catch (cause) {
      throw new Fault('unavailable', { cause });
    }
  };
}
