import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Instance, startInstance } from '../instance.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Starts the shared instance when it is asked first, and answers with a `Running`. */
    sharedInstanceUrl: string;
  }
}

/** An instance in another process. */
export interface Running extends Pick<Instance, 'bootstrap' | 'adminUrl' | 'dataDirectory'> {
  /** The output of its start. */
  readonly printed: string;
  readonly isShared: true;
}

/** The answer of the set-up: an instance, or the reason why there is none. */
export type Started = Running | { readonly failure: string };

/** `fetch` gives up after five minutes of silence. A start on a busy machine may take longer. */
const aliveMs = 10_000;
const noLimit = '1000000';
export const withoutRateLimits = {
  SLUICE_KEY_REQUESTS_PER_MINUTE: noLimit,
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: noLimit,
  SLUICE_ANALYTICS_QUERIES_PER_MINUTE: noLimit,
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: noLimit,
};

/** The upstreams of organizations in the tests run on this machine. */
const withOwnUpstreams = { SLUICE_PRIVATE_ENDPOINTS_ALLOW: '127.0.0.1' };

/**
 * The global set-up of the acceptance tests: one instance for all files that need no settings of their own. It starts
 * with the first of them and ends with the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Instance> | undefined;
  const server = createServer((_request, response) => {
    starting ??= startInstance({ ...withoutRateLimits, ...withOwnUpstreams });
    response.writeHead(200);
    response.write(' ');
    const alive = setInterval(() => response.write(' '), aliveMs);
    const tell = (started: Started) => {
      clearInterval(alive);
      response.end(JSON.stringify(started));
    };
    starting.then(
      (instance) => {
        const { bootstrap, adminUrl, dataDirectory } = instance;
        const printed = instance.output();
        const running: Running = { bootstrap, adminUrl, dataDirectory, printed, isShared: true };
        tell(running);
      },
      (error: unknown) => tell({ failure: String(error) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  project.provide('sharedInstanceUrl', `http://127.0.0.1:${port}`);
  return async () => {
    server.close();
    server.closeAllConnections();
    const instance = await starting?.catch(() => undefined);
    await instance?.dispose();
  };
}
