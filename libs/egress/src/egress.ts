import { Agent } from 'undici';
import { type AllowList, allowNothing } from './allow-list.ts';
import { checkedConnector, type Reroute } from './checked-connector.ts';
import { checkedFetch, type StreamLimits } from './checked-fetch.ts';
import type { EgressFailure } from './failure.ts';
import { type EgressReply, type EgressRequest, sendRequest } from './request.ts';

/** Calls servers that strangers name. */
export interface Egress {
  /** Sends a request and reads its whole reply. The promise never rejects. */
  send(request: EgressRequest): Promise<EgressReply | EgressFailure>;
  /** Returns a `fetch` for the clients of protocols. It rejects with an EgressError. */
  fetch(limits: StreamLimits): (input: string | URL, init?: RequestInit) => Promise<Response>;
  /** Ends all calls. */
  stop(): Promise<void>;
}

export interface EgressOptions {
  /** The addresses that the operator allows besides the public ones. None if absent. */
  readonly allowList?: AllowList;
  /** True: `http:` is allowed for every host. False if absent. */
  readonly isHttpAllowed?: boolean;
  /** Name servers as `address:port`. Absent: those of the system. */
  readonly nameServers?: readonly string[];
  /** The place of a simulated web. None if absent. */
  readonly reroute?: Reroute;
  /** Authorities in PEM that are trusted instead of the public ones. */
  readonly authorities?: string;
  /** The longest gap in a body, and the longest wait for headers. */
  readonly idleTimeoutMs?: number;
}

const connectTimeoutMs = 5_000;
const idleTimeoutDefaultMs = 60_000;
const keepAliveTimeoutMs = 4_000;
const headerBytesMax = 32 * 1024;
const connectionsPerOriginMax = 16;
const originsMax = 1_024;

/**
 * Creates the way to servers that strangers name. Its calls are direct: a proxy would resolve the name itself, and
 * nothing could be checked at the dial. `HTTP_PROXY` and its like are not read.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const {
    allowList = allowNothing,
    isHttpAllowed = false,
    nameServers,
    reroute,
    authorities,
  } = options;
  const idleTimeoutMs = options.idleTimeoutMs ?? idleTimeoutDefaultMs;
  const rules = { allowList, isHttpAllowed };
  const agent = new Agent({
    connect: checkedConnector({ allowList, nameServers, reroute, connectTimeoutMs, authorities }),
    connections: connectionsPerOriginMax,
    maxOrigins: originsMax,
    maxHeaderSize: headerBytesMax,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    keepAliveMaxTimeout: keepAliveTimeoutMs,
    allowH2: false,
  });
  return {
    send: (request) => sendRequest(agent, rules, request),
    fetch: (limits) => checkedFetch(agent, rules, limits),
    stop: () => agent.destroy(),
  };
}
