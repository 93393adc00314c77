import { createRequire } from 'node:module';
import type * as Undici from 'undici';

const load = createRequire(import.meta.url);

/**
 * The parts of undici that calls go through. Its index comes with fetch, WebSocket, caches and mocks, 60 modules
 * that every process would keep. Where an update moves them, nothing starts.
 */
export const Agent = load('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;
export const buildConnector = load('undici/lib/core/connect.js') as typeof Undici.buildConnector;

const ask = load('undici/lib/api/api-request.js') as Undici.Dispatcher['request'];

/** One call, read as it comes. */
export function request(
  agent: Undici.Dispatcher,
  options: Undici.Dispatcher.RequestOptions,
): Promise<Undici.Dispatcher.ResponseData<unknown>> {
  return ask.call(agent, options);
}
