import { Resolver } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AllowList } from './allow-list.ts';
import { EgressError } from './failure.ts';
import { forbidden, literalOf } from './target.ts';

/** Hosts that stand on another server, whatever their names resolve to: for a simulated web. */
export interface Reroute {
  /** The end of the names, such as `.corpus.example`. */
  readonly hostEnd: string;
  /** An address or a name. The operator names it, so that it is not checked. */
  readonly host: string;
  readonly port: number;
}

export interface DialOptions {
  readonly allowList: AllowList;
  readonly reroute?: Reroute | undefined;
  /** Name servers as `address:port`. Absent: those of the system. */
  readonly nameServers?: readonly string[] | undefined;
  /** Connections without TLS go only to addresses that the operator names. False if absent. */
  readonly isPlainNamedOnly?: boolean;
  /** From the look-up to the handshake. */
  readonly connectTimeoutMs: number;
  /** Authorities in PEM that are trusted instead of the public ones. */
  readonly authorities?: string | undefined;
}

const lookupTimeoutMs = 2_000;
const lookupTries = 2;
/** Addresses that are tried. All that a name has are checked. */
const addressesMax = 8;

/**
 * Connects to addresses that the allow-list permits. The check stands between the look-up and the connection, so that
 * a name that resolves to another address the next time gains nothing. One address that is not permitted refuses the
 * whole name.
 *
 * Names are resolved by c-ares: a slow name server of a stranger must not hold the threads that write files, and
 * the hosts file and search domains of this machine are not for strangers.
 */
export function checkedConnector(options: DialOptions): buildConnector.connector {
  const { allowList, reroute, connectTimeoutMs, authorities, isPlainNamedOnly = false } = options;
  const resolver = new Resolver({ timeout: lookupTimeoutMs, tries: lookupTries });
  if (options.nameServers) resolver.setServers(options.nameServers);
  // A connector for each port: a look-up does not learn the port that it is for.
  const connectTo = (permits: (address: string) => boolean) =>
    buildConnector({
      timeout: connectTimeoutMs,
      allowH2: false,
      autoSelectFamily: true,
      lookup: checkedLookup(resolver, permits),
      ...(authorities !== undefined && { ca: authorities }),
    });
  const toSimulator = buildConnector({ timeout: connectTimeoutMs, allowH2: false });
  return (asked, callback) => {
    if (reroute && asked.hostname.endsWith(reroute.hostEnd)) {
      toSimulator({ ...asked, hostname: reroute.host, port: String(reroute.port) }, callback);
      return;
    }
    const port = Number(asked.port) || (asked.protocol === 'https:' ? 443 : 80);
    const isPlain = asked.protocol !== 'https:';
    const permits = (address: string) =>
      isPlain && isPlainNamedOnly
        ? allowList.names(address, port)
        : allowList.permits(address, port);
    const literal = literalOf(asked.hostname);
    if (literal !== undefined && !permits(literal)) {
      callback(new EgressError(forbidden(asked.hostname)), null);
      return;
    }
    connectTo(permits)(asked, callback);
  };
}

function checkedLookup(resolver: Resolver, permits: (address: string) => boolean): LookupFunction {
  return (hostname, { all }, callback) => {
    resolveBoth(resolver, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined)
          callback(
            new EgressError({ reason: 'unknown_host', message: `${hostname} is not known` }),
            '',
          );
        else if (!addresses.every(({ address }) => permits(address)))
          callback(new EgressError(forbidden(hostname)), '');
        else if (all) callback(null, addresses.slice(0, addressesMax));
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}

/** Resolves a name to its addresses, those of IPv4 first. A name without any resolves to none. */
async function resolveBoth(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const ask = (method: 'resolve4' | 'resolve6', family: 4 | 6) =>
    new Promise<LookupAddress[]>((resolve) => {
      resolver[method](hostname, (error, addresses) =>
        resolve(error ? [] : addresses.map((address) => ({ address, family }))),
      );
    });
  return (await Promise.all([ask('resolve4', 4), ask('resolve6', 6)])).flat();
}
