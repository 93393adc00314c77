import { Agent, type buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Endpoint } from '../endpoint.ts';
import { skipping, skippingConnector } from './connector.ts';

/** The proxy of upstream calls, as `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` name it. */
export interface ProxySettings {
  readonly httpProxy: string | undefined;
  readonly httpsProxy: string | undefined;
  /** Hosts that are called directly, separated by commas. This machine always is. */
  readonly noProxy: string | undefined;
}

export interface DispatcherOptions {
  /** Connections per origin. Further calls wait within their deadlines. */
  readonly connectionsMax: number;
  /** Absent: every call is direct. */
  readonly proxy?: ProxySettings | undefined;
  /** Connects to private endpoints. Absent: none of them is called. */
  readonly connectPrivate?: buildConnector.connector | undefined;
}

const originsMax = 1_024;
const connectTimeoutMs = 10_000;
const keepAliveTimeoutMs = 10_000;
/** The number of providers that a catalog file may have. */
const authoritiesMax = 100;
const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/** Keeps the connections to all upstreams. Endpoints that trust the same authorities share them. */
export class Dispatchers {
  readonly #options: DispatcherOptions;
  readonly #usual: Dispatcher;
  readonly #toPrivate: Dispatcher;
  /** Dispatchers of endpoints with own authorities. The key is the PEM text of the authorities. */
  readonly #private = new Map<string, Dispatcher>();

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#usual = dispatcherOf(options, undefined);
    this.#toPrivate = privateDispatcher(options);
  }

  /** Returns the connections to an endpoint. Those to private ones are direct: a proxy would resolve their names. */
  to({ isPrivate, authorities }: Pick<Endpoint, 'isPrivate' | 'authorities'>): Dispatcher {
    return isPrivate ? this.#toPrivate : this.trusting(authorities);
  }

  /** Returns the connections to servers that the public authorities, or these ones, have certified. */
  trusting(authorities: string | undefined): Dispatcher {
    if (authorities === undefined) return this.#usual;
    const found = this.#private.get(authorities);
    if (found) return found;
    // A reload may have replaced some. Calls in progress come to their end.
    for (const [oldest, dispatcher] of this.#private) {
      if (this.#private.size < authoritiesMax) break;
      this.#private.delete(oldest);
      dispatcher.close().catch(() => undefined);
    }
    const made = dispatcherOf(this.#options, authorities);
    this.#private.set(authorities, made);
    return made;
  }

  async destroy(): Promise<void> {
    const all = [this.#usual, this.#toPrivate, ...this.#private.values()];
    await Promise.all(all.map((one) => one.destroy()));
  }
}

/** Bounds the connections to a server that a customer names. */
const privateConnectionsMax = 256;

function privateDispatcher({ connectionsMax, connectPrivate = refuse }: DispatcherOptions) {
  return new Agent({
    connections: Math.min(connectionsMax, privateConnectionsMax),
    maxOrigins: originsMax,
    connect: skipping(connectPrivate),
    keepAliveTimeout: keepAliveTimeoutMs,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

const refuse: buildConnector.connector = (_asked, callback) =>
  callback(new Error('private endpoints are not connected'), null);

function dispatcherOf(
  { connectionsMax, proxy }: DispatcherOptions,
  authorities: string | undefined,
): Dispatcher {
  const tls = authorities === undefined ? {} : { ca: authorities };
  const options = {
    connections: connectionsMax,
    maxOrigins: originsMax,
    connect: skippingConnector({ timeout: connectTimeoutMs, allowH2: false, ...tls }),
    keepAliveTimeout: keepAliveTimeoutMs,
    allowH2: false,
    // `Deadlines` replaces undici's timeouts, because it distinguishes output from keep-alives.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (!proxy?.httpProxy && !proxy?.httpsProxy) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // Empty, it is none. Absent, undici would read the environment.
    httpProxy: proxy.httpProxy ?? '',
    httpsProxy: proxy.httpsProxy ?? '',
    noProxy: [...thisMachine, proxy.noProxy ?? ''].filter(Boolean).join(','),
    requestTls: { timeout: connectTimeoutMs, ...tls },
  });
}
