import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { Fault } from '@sluice/errors';
import { createBackoff } from './backoff.ts';
import type { Bus, BusLogger } from './bus.ts';
import { natsBus } from './nats-bus.ts';

export interface BusOptions {
  /** `nats://host:port`, or several, separated by commas. */
  readonly url: string;
  /** The password of the user `sluice`; a server that asks for a token alone gets it as one. */
  readonly token?: string | undefined;
  /** Shown in the broker's connection list. */
  readonly name: string;
  readonly logger: BusLogger;
  /** The broker's monitoring address (`http://host:port`), for assertDurable. */
  readonly monitorUrl?: string | undefined;
  /** The time limit for the first connection. */
  readonly connectTimeoutMs?: number;
}

export const serviceUser = 'sluice';
const handshakeTimeoutMs = 3_000;
const firstConnectTimeoutMs = 15_000;
const reconnectMsMin = 50;
const reconnectMsMax = 2_000;
/** A connection that forwards nothing is given up after the third, and made anew. */
const pingIntervalMs = 5_000;
const pingsOutMax = 2;

/**
 * Connects, waiting for a broker that is still starting; a lost connection is re-established for
 * ever. Throws bus_unavailable when there is none in time, or at once when it refuses the token.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { url, name, logger, monitorUrl } = options;
  const deadlineMs = performance.now() + (options.connectTimeoutMs ?? firstConnectTimeoutMs);
  const backoff = createBackoff(reconnectMsMin, reconnectMsMax);
  for (;;) {
    try {
      const connection = await open(options);
      logger.info(`connected to the message bus as ${name}`, { address: url });
      return natsBus(connection, { logger, monitorUrl });
    } catch (cause) {
      const waitMs = backoff.nextMs();
      if (cause instanceof errors.AuthorizationError || performance.now() + waitMs > deadlineMs)
        throw new Fault('bus_unavailable', { message: `No message bus at ${url}`, cause });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

async function open({ url, token, name }: BusOptions): Promise<NatsConnection> {
  const delay = reconnectDelay();
  const connection = await connect({
    servers: url.split(','),
    name,
    ...(token === undefined ? {} : { token, user: serviceUser, pass: token }),
    timeout: handshakeTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: delay.nowMs,
    ignoreAuthErrorAbort: true,
    pingInterval: pingIntervalMs,
    maxPingOut: pingsOutMax,
    noAsyncTraces: true,
  });
  delay.reset();
  void (async () => {
    for await (const status of connection.status()) if (status.type === 'reconnect') delay.reset();
  })();
  return connection;
}

/**
 * Grows with the time that the broker is away, not with the calls: the client asks more than once
 * for each attempt and would count a doubling delay up to its maximum before the first one.
 */
function reconnectDelay(): { readonly nowMs: () => number; readonly reset: () => void } {
  let awaySinceMs: number | undefined;
  return {
    nowMs() {
      const nowMs = performance.now();
      awaySinceMs ??= nowMs;
      const grownMs = (nowMs - awaySinceMs) / 4;
      return Math.min(reconnectMsMax, reconnectMsMin + grownMs * (0.8 + 0.4 * Math.random()));
    },
    reset() {
      awaySinceMs = undefined;
    },
  };
}
