import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from '@sluice/clock-and-ids';
import { LoadShedder } from '@sluice/load-shedding';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { GatewaySettings } from '../../settings.ts';
import { isUnknownCoding } from '../plugins/http-rules.ts';
import { overloadRefusal } from './overload-refusal.ts';
import { RefusedConnections } from './refused-connections.ts';

export interface EntranceDependencies {
  /** Whose POSTs wait; may be filled later. */
  readonly inferencePaths: ReadonlySet<string>;
  readonly settings: Pick<GatewaySettings, 'inferenceWaitingMax' | 'requestsPerConnectionMax'>;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** What stands before everything else: before the body is read, the key is looked up, and a route is found. */
export interface Entrance {
  /** What serves an inference request waits for its turn; everything else goes in at once. */
  guard(serve: Serve): Serve;
  readonly waiting: number;
}

/**
 * Lets inference requests in as fast as the process gets on with them, and refuses those that would
 * wait for long with a 503, at next to no cost: what is refused takes nothing from what is served.
 */
export function createEntrance(dependencies: EntranceDependencies): Entrance {
  const { inferencePaths, settings } = dependencies;
  const { inferenceWaitingMax: waitingMax } = settings;
  const { gatewayOverloadWait } = dependencies.telemetry.metrics;
  const shedder = new LoadShedder({ waitingMax, waitingPerNameMax: Math.ceil(waitingMax / 2) });
  const { refuse, refuseBarely } = overloadRefusal(dependencies);
  const refusedConnections = new RefusedConnections({
    refuses: (name) => shedder.refuses(name),
    refuse: refuseBarely,
    requestsPerConnectionMax: settings.requestsPerConnectionMax,
  });

  const guard = (serve: Serve) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || !inferencePaths.has(pathOf(request)))
      return serve(request, response);
    if (isUnknownCoding(request.headers['transfer-encoding'])) return serve(request, response);
    const arrivedMs = performance.now();
    let isWaiting = false;
    const name = request.headers.authorization ?? '';
    const crowded = shedder.admit(name, () => {
      if (isWaiting) gatewayOverloadWait.record((performance.now() - arrivedMs) / 1_000);
      if (!response.destroyed) serve(request, response);
    });
    isWaiting = true;
    if (crowded === undefined) return;
    refuse(response, crowded);
    refusedConnections.note(request, response, name);
  };
  return {
    guard,
    get waiting() {
      return shedder.waiting;
    },
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
