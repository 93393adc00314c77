import { channelCredentials, clientSettings } from './client-settings.ts';
import { requireUsableAddress } from './require-usable-address.ts';
import { StoreClient } from './store-client.ts';
import { within } from './wait.ts';

/** The client's own default. */
const keepAliveTimeoutMs = 10_000;
/** gRPC drops an idle subchannel after 10 s. Until then, so many variants of the options keep clients apart. */
const variants = 64;
/** Connections that are closed at a time, for so long: one may still be looking for its node. */
const leavingMax = 16;
const leavingMsMax = 5_000;

/**
 * Holds the client for calls. A silent connection is abandoned: the next call opens another one with a new
 * client, since a client keeps its connection for 20 s.
 */
export class Connection {
  readonly #make: (left: number, failedNode?: string) => StoreClient;
  readonly #leaving = new Set<Promise<void>>();
  #client: StoreClient;
  #left = 0;

  /** Throws event_store_unavailable for a URL that is none, or that names a file that cannot be read. */
  constructor(url: string) {
    this.#make = clientMaker(url);
    this.#client = this.#make(this.#left);
  }

  /** Each attempt takes it anew. */
  get client(): StoreClient {
    return this.#client;
  }

  /** Leaves the connection of this client, unless that has been done. Subscriptions on it end. */
  leave(client: StoreClient): void {
    if (client !== this.#client || this.#leaving.size >= leavingMax) return;
    this.#client = this.#make(++this.#left, client.node);
    const leaving = within(client.leave(), leavingMsMax)
      .catch(() => {})
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#client.close(), ...this.#leaving]);
  }
}

/** Makes clients that share no connection. The files that the URL names are read once. */
function clientMaker(url: string): (left: number, failedNode?: string) => StoreClient {
  const address = requireUsableAddress(url);
  const settings = clientSettings(address);
  const security = channelCredentials(address);
  const endpoints = address.hosts.map(({ host, port }) => ({ address: host, port }));
  return (left, failedNode) => {
    const options = { ...settings, keepAliveTimeout: variantOf(settings.keepAliveTimeout, left) };
    const [endpoint] = endpoints;
    if (!endpoint) throw new Error('A store address has hosts');
    const { credentials } = address;
    if (!address.discovers) return new StoreClient({ ...options, endpoint }, security, credentials);
    if (endpoints.length === 1)
      return new StoreClient({ ...options, discover: endpoint }, security, credentials);
    // A node that hangs would be asked for the members for 5 s.
    const others = endpoints.filter((each) => `${each.address}:${each.port}` !== failedNode);
    return new StoreClient({ ...options, endpoints: others }, security, credentials);
  };
}

/**
 * The transport shares connections between channels to the same address whose settings are the same. Without TLS
 * nothing else tells two clients apart, so their settings differ by a millisecond. -1 disables it.
 */
function variantOf(timeoutMs: number = keepAliveTimeoutMs, left: number): number {
  return timeoutMs < 0 ? timeoutMs : timeoutMs + (left % variants);
}
