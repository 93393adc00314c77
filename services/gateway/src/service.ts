import { setTimeout as delay } from 'node:timers/promises';
import { createNotices, type NoticeBus, subjectFilters } from '@sluice/bus';
import type { InferencePort } from '@sluice/inference-port';
import { connectingMax, type Service } from '@sluice/boot';
import type { Clock, Ids } from '@sluice/clock-and-ids';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import { createAccountCache } from './accounts/account-cache.ts';
import { refusalLog } from './audit/refusal-log.ts';
import { buildApp } from './app.ts';
import type { App } from './http/app-types.ts';
import { findAccount } from './clients/find-account.ts';
import { Standings } from './clients/standings.ts';
import type { RpcCalls } from './rpc-calls.ts';
import { followKeyChanges } from './keys/follow-key-changes.ts';
import { createPrincipalCache } from './keys/principal-cache.ts';
import { keyResolver } from './keys/resolve-key.ts';
import { defaultSettings, type GatewaySettings } from './settings.ts';

export { loadGatewaySettings } from './config.ts';
export { questionDeadlineMs, requiredClients } from './rpc-calls.ts';
export type { GatewaySettings } from './settings.ts';

export interface GatewayDependencies {
  readonly rpc: RpcCalls;
  readonly inference: InferencePort;
  readonly bus: NoticeBus;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics' | 'tracing' | 'observe'>;
  /** Overrides of `settings.ts`. */
  readonly settings?: Partial<GatewaySettings>;
}

const idleSweepMs = 50;

export interface GatewayService extends Service {
  /** After start: opens the public port and answers its number. Port 0 takes a free one. */
  listen(host: string, port: number): Promise<number>;
}

export function createService(dependencies: GatewayDependencies): GatewayService {
  const { rpc, bus, clock, telemetry } = dependencies;
  const settings = { ...defaultSettings, ...dependencies.settings };
  const notices = createNotices(bus, { anew: subjectFilters.historyChanged });
  const principals = createPrincipalCache({
    resolve: keyResolver(rpc.keys),
    unsubscribedMs: () => notices.unsubscribedMs(),
    clock,
    lastKnownMsMax: settings.lastKnownMsMax,
  });
  const accountCache = createAccountCache((id) => findAccount(rpc.accounts, id), clock);
  const refusals = refusalLog({
    ...dependencies,
    record: (refusal) => rpc.audit.recordRefusal(refusal),
  });
  const { app, loadShedding } = buildApp({
    ...dependencies,
    ...rpc,
    refusals,
    principals,
    accountCache,
    settings,
  });
  const standings = new Standings(rpc.standings);
  const stopping = new AbortController();
  let ready = false;
  return {
    name: 'gateway',
    async start() {
      telemetry.observe('gateway.keys.cached', () => principals.size);
      telemetry.observe('gateway.waiting', () => loadShedding.waiting);
      followKeyChanges(notices, principals);
      await notices.start(stopping.signal);
      standings.follow(stopping.signal);
      await app.ready();
    },
    async listen(host, port) {
      await app.listen({ host, port, backlog: connectingMax });
      ready = true;
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    async stop() {
      ready = false;
      await closeWithin(app, settings.drainTimeoutMs);
      await Promise.race([
        refusals.idle(),
        delay(settings.drainTimeoutMs, undefined, { ref: false }),
      ]);
      stopping.abort();
    },
    unreadiness: () => (ready ? [] : ['the gateway does not listen yet or is stopping']),
    degradation: () => standings.reasons(),
  };
}

/** Takes no new connection, lets open replies end, and cuts those that do not in time. */
async function closeWithin(app: App, timeoutMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs);
  // A connection whose reply ends meanwhile would be kept for the next request.
  const sweep = setInterval(() => app.server.closeIdleConnections(), idleSweepMs);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(sweep);
  }
}
