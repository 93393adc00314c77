import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ids } from '@sluice/clock-and-ids';
import type { InferencePort } from '@sluice/inference-port';
import { type EventLoop, LoadShedder } from '@sluice/load-shedding';
import type { Logger } from '@sluice/logging';
import type { Telemetry } from '@sluice/telemetry';
import type { GatewaySettings } from '../../settings.ts';
import { isUnknownCoding } from '../plugins/http-rules.ts';
import { overloadRefusal } from './overload-refusal.ts';
import { servedUrl } from './served-url.ts';

export interface LoadSheddingDependencies {
  /** The paths whose POST requests wait. The app fills the set later. */
  readonly inferencePaths: ReadonlySet<string>;
  readonly settings: Pick<GatewaySettings, 'inferenceWaitingMax'>;
  readonly inference: Pick<InferencePort, 'startsPerMsMax'>;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly telemetry: Pick<Telemetry, 'metrics'>;
  /** That of the process when absent. */
  readonly eventLoop?: EventLoop;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands before everything else: before the body is read, the key is looked up, and a route is found. */
export interface LoadShedding {
  /** Returns a listener that lets an inference request wait for its turn. Every other request is served at once. */
  guard(serve: Serve): Serve;
  readonly waiting: number;
}

/**
 * Lets inference requests in as fast as the process serves them. Refuses a request that would wait for long with 503,
 * at little cost.
 */
export function createLoadShedding(dependencies: LoadSheddingDependencies): LoadShedding {
  const { inferencePaths, settings, inference, eventLoop } = dependencies;
  const { inferenceWaitingMax: waitingMax } = settings;
  const { gatewayOverloadWait } = dependencies.telemetry.metrics;
  const waitingPerNameMax = Math.ceil(waitingMax / 2);
  const shedder = new LoadShedder({
    waitingMax,
    waitingPerNameMax,
    startsPerMsMax: () => inference.startsPerMsMax?.(),
    ...(eventLoop && { eventLoop }),
  });
  const refuse = overloadRefusal(dependencies);

  const guard = (serve: Serve) => (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || !inferencePaths.has(pathOf(request)))
      return serve(request, response);
    if (isUnknownCoding(request.headers['transfer-encoding'])) return serve(request, response);
    const arrivedMs = performance.now();
    let isWaiting = false;
    const name = request.headers.authorization ?? '';
    shedder.admit(name, (overload) => {
      if (overload !== undefined) return refuse(response, overload);
      if (isWaiting) gatewayOverloadWait.record((performance.now() - arrivedMs) / 1_000);
      if (!response.destroyed) serve(request, response);
    });
    isWaiting = true;
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
  return servedUrl(query === -1 ? url : url.slice(0, query));
}
