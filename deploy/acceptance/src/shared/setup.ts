import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestProject } from 'vitest/node';
import { type Instance, startInstance } from '../instance.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The path is a kind. Starts the shared instance of it when it is asked first, and answers with a `Running`. */
    sharedInstanceUrl: string;
  }
}

/** An instance in another process. */
export interface Running extends Pick<Instance, 'bootstrap' | 'adminUrl' | 'dataDirectory'> {
  /** The folder of this organization's `bootstrap.json`. */
  readonly bootstrapDirectory: string;
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

/**
 * The instances that are shared. `ordinary` lets organizations have upstreams of this machine. `outward` lets tools
 * reach servers of this machine, draws with the simulator, and has directories. Few files use it, and one request at
 * a time: programs of others call it, which do not come again when it is busy.
 */
const kinds = {
  ordinary: () =>
    startInstance({ ...withoutRateLimits, SLUICE_PRIVATE_ENDPOINTS_ALLOW: '127.0.0.1' }),
  outward: startOutward,
};
export type SharedKind = keyof typeof kinds;

/** An organization has its directory as a file with its id as the name, in the folder `directoriesOf` names. */
async function startOutward(): Promise<Instance> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'sluice-acceptance-'));
  await mkdir(directoriesOf({ dataDirectory }));
  return await startInstance({
    ...withoutRateLimits,
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_EGRESS_ALLOW: '127.0.0.1',
    SLUICE_IMAGE_MODEL: 'sim/gemini-image',
    SLUICE_DIRECTORY_URL: pathToFileURL(directoriesOf({ dataDirectory })).href,
  });
}

export function directoriesOf({ dataDirectory }: Pick<Instance, 'dataDirectory'>): string {
  return join(dataDirectory, 'directories');
}

/**
 * The global set-up of the acceptance tests: one instance of each kind for all files that need no settings of their
 * own. It starts with the first of them and ends with the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starting = new Map<SharedKind, Promise<Instance>>();
  const server = createServer((request, response) => {
    const kind = request.url?.slice(1) as SharedKind;
    const instance = starting.get(kind) ?? kinds[kind]();
    starting.set(kind, instance);
    void answer(response, instance);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  project.provide('sharedInstanceUrl', `http://127.0.0.1:${port}/`);
  return async () => {
    server.close();
    server.closeAllConnections();
    for (const instance of starting.values())
      await (await instance.catch(() => undefined))?.dispose();
  };
}

async function answer(response: ServerResponse, starting: Promise<Instance>): Promise<void> {
  response.writeHead(200);
  response.write(' ');
  const alive = setInterval(() => response.write(' '), aliveMs);
  const started = await starting.then(
    (instance): Started => {
      const { bootstrap, adminUrl, dataDirectory } = instance;
      const printed = instance.output();
      const bootstrapDirectory = dataDirectory;
      return { bootstrap, adminUrl, dataDirectory, bootstrapDirectory, printed, isShared: true };
    },
    (error: unknown) => ({ failure: String(error) }),
  );
  clearInterval(alive);
  response.end(JSON.stringify(started));
}
