import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureNatsServer, freePort, startServerProcess } from '@sluice/embedded';

export interface LazyBroker {
  readonly url: string;
  readonly token: string;
  readonly pid: () => number;
  /** After it was killed, on the same data and the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const token = 'token-of-a-test';

/** nats-server with default settings: it acknowledges before it syncs. */
export async function startLazyBroker(directory: string): Promise<LazyBroker> {
  await mkdir(directory, { recursive: true });
  const binary = await ensureNatsServer(process.env, () => undefined);
  const port = await freePort();
  const configFile = join(directory, 'nats-server.conf');
  const open = async () => {
    // It was not synced either, and may be empty.
    await writeFile(
      configFile,
      [
        'host: "127.0.0.1"',
        `port: ${port}`,
        `authorization { token: ${token} }`,
        `jetstream { store_dir: ${JSON.stringify(directory)} }`,
        '',
      ].join('\n'),
    );
    return await startServerProcess({
      name: 'nats-server',
      command: binary,
      args: ['-c', configFile],
      stopSignal: 'SIGKILL',
      readyPattern: /Server is ready/,
      onLog: () => undefined,
    });
  };
  let server = await open();
  return {
    token,
    url: `nats://127.0.0.1:${port}`,
    pid: () => server.pid,
    async start() {
      server = await open();
    },
    stop: () => server.stop(),
  };
}
