import { createServer, type RequestListener, type Server } from 'node:http';
import type { GatewaySettings } from '../../settings.ts';

const headerBytesMax = 16 * 1024;
const unfinishedRequestCheckMs = 2_000;

/** The server of the public port, not yet listening, with every bound that HTTP itself can have. */
export function publicServer(settings: GatewaySettings, listener: RequestListener): Server {
  const { requestTimeoutMs } = settings;
  const server = createServer(
    {
      headersTimeout: settings.headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(unfinishedRequestCheckMs, requestTimeoutMs),
      maxHeaderSize: headerBytesMax,
      // It would be refused without the envelope; httpRules refuses it.
      requireHostHeader: false,
      keepAliveTimeout: settings.keepAliveTimeoutMs,
    },
    listener,
  );
  // Without it Node drops the answer to a client that closes its own side after the request (decision 72).
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(settings.connectionIdleTimeoutMs);
  server.maxRequestsPerSocket = settings.requestsPerConnectionMax;
  server.maxConnections = settings.connectionsMax;
  return server;
}
