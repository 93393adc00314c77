import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureNatsServer, freePort, startNats, startServerProcess } from '@sluice/embedded';
import { type Back, freeze, type How } from './outage.ts';

/** A broker that the services do not start themselves, so that it can be away for long. */
export interface Broker extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  /** The settings of an installation that uses the broker at this port. */
  settings(port: number): Readonly<Record<string, string>>;
  pid(): number;
  /** A forgetful broker comes back without anything that it had acknowledged. */
  takeAway(how: How | 'forgetful'): Promise<Back>;
  /** Starts again after it was killed. */
  start(): Promise<void>;
}

const lazyToken = 'token-of-a-test';

/** Starts nats-server on a folder. A lazy one has its default settings: it acknowledges before it syncs. */
export async function startBroker(directory: string, isLazy = false): Promise<Broker> {
  const binary = await ensureNatsServer(process.env, () => undefined);
  const [port, monitorPort] = [await freePort(), await freePort()];
  const options = { directory, binary, port, monitorPort, onLog: () => undefined };
  const open = () => (isLazy ? startLazily(options) : startNats(options));
  let nats = await open();
  const { token, monitorUrl } = nats;
  const start = async () => {
    nats = await open();
  };
  return {
    port,
    token,
    settings: (port) => ({
      SLUICE_NATS_URL: `nats://127.0.0.1:${port}`,
      SLUICE_NATS_TOKEN: token,
      ...(monitorUrl === undefined ? {} : { SLUICE_NATS_MONITOR_URL: monitorUrl }),
    }),
    pid: () => nats.pid,
    async takeAway(how) {
      if (how === 'frozen') {
        const frozen = await freeze(nats.pid);
        return async () => frozen.letGo();
      }
      process.kill(nats.pid, 'SIGKILL');
      await nats.exited;
      if (how === 'forgetful') await rm(join(directory, 'jetstream'), { recursive: true });
      return start;
    },
    start,
    [Symbol.asyncDispose]: () => nats.stop(),
  };
}

async function startLazily(options: Parameters<typeof startNats>[0]) {
  const { directory, binary, port } = options;
  await mkdir(directory, { recursive: true });
  const configFile = join(directory, 'nats-server.conf');
  // The file was not synced either, and may be empty after a power cut.
  await writeFile(
    configFile,
    `host: "127.0.0.1"
port: ${port}
authorization { token: ${lazyToken} }
jetstream { store_dir: ${JSON.stringify(directory)} }
`,
  );
  const server = await startServerProcess({
    name: 'nats-server',
    command: binary,
    args: ['-c', configFile],
    stopSignal: 'SIGKILL',
    readyPattern: /Server is ready/,
    onLog: options.onLog,
  });
  return { ...server, token: lazyToken, monitorUrl: undefined };
}
