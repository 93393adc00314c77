import type { buildConnector } from 'undici';
import { type AllowList, allowNothing } from './allow-list.ts';
import { checkedConnector } from './checked-connector.ts';
import { isEgressFailure } from './failure.ts';
import { parseTarget } from './target.ts';

export interface CheckedRouteOptions {
  /** The addresses that the operator allows besides the public ones. None if absent. */
  readonly allowList?: AllowList;
  /** Name servers as `address:port`. Absent: those of the system. */
  readonly nameServers?: readonly string[] | undefined;
}

/** The way to servers that customers name, for a client with its own pools and time limits. */
export interface CheckedRoute {
  /** Connects to permitted addresses alone. Without TLS, only to those that the operator names. */
  readonly connect: buildConnector.connector;
  /** Returns why a URL may not be called, whatever its host resolves to. undefined: it may. */
  problemOf(url: string): string | undefined;
}

const connectTimeoutMs = 5_000;

export function createCheckedRoute(options: CheckedRouteOptions = {}): CheckedRoute {
  const { allowList = allowNothing, nameServers } = options;
  const dial = { allowList, nameServers, connectTimeoutMs, isPlainNamedOnly: true };
  return {
    connect: checkedConnector(dial),
    problemOf(url) {
      // Only the dial can tell to which address a name without TLS leads.
      const target = parseTarget(url, { allowList, isHttpAllowed: !allowList.isEmpty });
      if (isEgressFailure(target)) return target.message;
      const isName = /[a-z]/i.test(target.hostname) || target.hostname.startsWith('[');
      const isPlain = target.protocol === 'http:';
      const port = target.port === '' ? 80 : Number(target.port);
      const host = target.hostname.replace(/^\[|\]$/g, '');
      const isLiteral = !isName || target.hostname.startsWith('[');
      return isPlain && isLiteral && !allowList.names(host, port)
        ? 'The URL must begin with https://'
        : undefined;
    },
  };
}
