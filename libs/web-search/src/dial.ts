import { EnvHttpProxyAgent, fetch as fetchWith } from 'undici';
import type { Dial } from './exchange.ts';

export interface SearchProxy {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
}

const thisMachine = ['localhost', '127.0.0.1', '::1'];

/** Returns the way to the engines. The operator names them, so that their addresses are not checked. */
export function viaProxy(proxy: SearchProxy | undefined): Dial {
  if (!proxy) return (url, init) => fetch(url, init);
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: proxy.httpProxy ?? '',
    httpsProxy: proxy.httpsProxy ?? '',
    noProxy: [...thisMachine, proxy.noProxy ?? ''].filter(Boolean).join(','),
  });
  return (url, init) => fetchWith(url, { ...init, dispatcher });
}
