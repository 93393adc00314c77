import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, startServerProcess } from '@sluice/embedded';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import { SandboxServiceService } from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { rpcClient } from '@sluice/rpc';
import { openLineLog } from './log-file.ts';
import type { Progress } from './progress.ts';
import { supervise } from './supervised.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SandboxOptions {
  readonly env: Environment;
  readonly dataDirectory: string;
  readonly rpcToken: string;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
}

const program = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'services',
  'sandbox',
  'src',
  'main.ts',
);
const describeDeadlineMs = 5_000;

/**
 * Starts the sandbox service as a process of its own, and again when it ends. Returns its `host:port`; undefined where
 * SLUICE_SANDBOX_ENGINE is `none`.
 */
export async function provideSandbox(options: SandboxOptions): Promise<string | undefined> {
  const { env, dataDirectory, rpcToken, lifecycle, logger } = options;
  if (env['SLUICE_SANDBOX_ENGINE'] === 'none') return undefined;
  const onLog = await openLineLog(join(dataDirectory, 'logs', 'sandbox.log'));
  const address = `127.0.0.1:${await freePort(new Set())}`;
  const start = () =>
    startServerProcess({
      name: 'sandbox',
      command: process.execPath,
      args: [program, dataDirectory],
      env: sandboxEnvironment(env, { address, rpcToken, dataDirectory, adminPort: 0 }),
      stopSignal: 'SIGTERM',
      readyPattern: /^sandbox: /,
      onLog,
    });
  const run = join(dataDirectory, 'run');
  await mkdir(run, { recursive: true, mode: 0o700 });
  const pidFile = join(run, 'sandbox.pid');
  try {
    lifecycle.add(await supervise({ name: 'sandbox', pidFile, start, logger }));
  } catch (error) {
    // Everything else works without it.
    logger.warn('the sandbox could not be started', { error });
  }
  return address;
}

/** Names that the sandbox reads beside its own settings. */
const passed = ['PATH', 'HOME', 'LANG', 'BWRAP', 'RUNSC', 'SLUICE_LOG_LEVEL', 'NODE_COMPILE_CACHE'];

/** Returns the environment of the sandbox: none of the keys and passwords that other services have. */
export function sandboxEnvironment(
  env: Environment,
  own: {
    readonly address: string;
    readonly rpcToken: string;
    readonly dataDirectory: string;
    readonly adminPort: number;
  },
): Environment {
  const prefixes = ['SLUICE_SANDBOX_', 'E2B_', 'KUBERNETES_SERVICE_'];
  const kept = (name: string) =>
    passed.includes(name) || prefixes.some((prefix) => name.startsWith(prefix));
  const without = Object.keys(env).filter((name) => !kept(name));
  return {
    ...Object.fromEntries(without.map((name) => [name, undefined])),
    SLUICE_DATA_DIR: own.dataDirectory,
    SLUICE_HOST: '127.0.0.1',
    SLUICE_ADMIN_PORT: String(own.adminPort),
    SLUICE_RPC_ADDRESS: own.address,
    SLUICE_RPC_TOKEN: own.rpcToken,
  };
}

/** Prints which engine the sandbox has, or why it has none. */
export async function tellSandbox(
  { address, token }: { readonly address: string | undefined; readonly token: string },
  progress: Progress,
): Promise<void> {
  const say = (text: string) => progress.say(`Sandbox         ${text}`);
  if (address === undefined) return say('off: SLUICE_SANDBOX_ENGINE is none');
  const client = rpcClient(SandboxServiceService, {
    address,
    token,
    deadlineMs: describeDeadlineMs,
  });
  try {
    const { engine, description } = await client.describeEngine({});
    say(engine === '' ? `off: ${description}` : description);
  } catch {
    say('off: its service does not answer');
  } finally {
    client.close();
  }
}
