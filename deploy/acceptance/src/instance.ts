import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@sluice/embedded';
import type { Bootstrap } from '@sluice/local';

/** A running Sluice in a process of its own, on a data directory of its own. */
export interface Instance {
  readonly bootstrap: Bootstrap;
  readonly adminUrl: string;
  readonly dataDirectory: string;
  readonly pid: number;
  /** Returns the output so far, both streams. */
  output(): string;
  /** SIGINT, as Ctrl-C does; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Resolves with the exit code when it has ended by itself. */
  ended(): Promise<number | null>;
  /** SIGKILL to the process alone: what a crash is. */
  kill(): Promise<void>;
  /** Starts again on the same data directory and ports; it may take more than a minute, or so long. */
  restart(readyTimeoutMs?: number): Promise<Instance>;
  /** Ends it and removes the data directory. */
  dispose(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

/** All services in one process, or each in its own. */
export type Program = 'all-in-one' | 'processes';

const ownCheckout = fileURLToPath(new URL('../../..', import.meta.url));
const mainOf = (program: Program, checkout: string) =>
  join(checkout, 'deploy', program, 'src', 'main.ts');
/** Longer than its own patience with each of its parts: when one does not come, it says itself which. */
const startTimeoutMs = 400_000;
const stopTimeoutMs = 120_000;
const pollMs = 50;

/**
 * Starts it on a new data directory, or the one that is given, and free ports, and waits until it is ready. The
 * sources may be those of another checkout.
 */
export async function startInstance(
  environment: Environment = {},
  program: Program = 'all-in-one',
  checkout = ownCheckout,
): Promise<Instance> {
  const dataDirectory =
    environment['SLUICE_DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'sluice-acceptance-')));
  const [port, adminPort] = [await freePort(), await freePort()];
  const main = mainOf(program, checkout);
  return await start(main, dataDirectory, {
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_PORT: String(port),
    SLUICE_ADMIN_PORT: String(adminPort),
    ...environment,
  });
}

/** Runs the command until it ends by itself: for starts that must fail. */
export async function runToExit(
  environment: Environment,
): Promise<{ code: number | null; output: string }> {
  const { child, output } = launch(mainOf('all-in-one', ownCheckout), environment);
  return { code: await exited(child, startTimeoutMs), output: output() };
}

async function start(
  main: string,
  dataDirectory: string,
  environment: Environment,
  readyTimeoutMs = startTimeoutMs,
): Promise<Instance> {
  const { child, output } = launch(main, environment);
  const adminUrl = `http://127.0.0.1:${environment['SLUICE_ADMIN_PORT']}`;
  await untilReady(child, { adminUrl, output, readyTimeoutMs });
  const bootstrap = JSON.parse(
    await readFile(join(dataDirectory, 'bootstrap.json'), 'utf8'),
  ) as Bootstrap;
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGINT');
    return await exited(child, stopTimeoutMs);
  };
  return {
    bootstrap,
    adminUrl,
    dataDirectory,
    pid: child.pid ?? 0,
    output,
    stop,
    ended: () => exited(child, stopTimeoutMs),
    async kill() {
      child.kill('SIGKILL');
      await exited(child, stopTimeoutMs);
    },
    restart: (readyTimeout) => start(main, dataDirectory, environment, readyTimeout),
    async dispose() {
      await stop();
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function launch(
  main: string,
  environment: Environment,
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [main], {
    env: { ...withoutOurs(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return { child, output: () => chunks.join('') };
}

/** A test must not depend on a provider key or a setting that the developer happens to have. */
export function withoutOurs(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(
      ([name]) => !/^(SLUICE_|OTEL_|OLLAMA_HOST$)|_API_KEY$|^VITEST|^NODE_OPTIONS$/.test(name),
    ),
  );
}

interface Starting {
  readonly adminUrl: string;
  readonly output: () => string;
  readonly readyTimeoutMs: number;
}

async function untilReady(
  child: ChildProcess,
  { adminUrl, output, readyTimeoutMs }: Starting,
): Promise<void> {
  const deadline = performance.now() + readyTimeoutMs;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) break;
    const ready = await fetch(`${adminUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready && output().includes('curl ')) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  child.kill('SIGKILL');
  throw new Error(`not ready within ${readyTimeoutMs} ms (exit ${child.exitCode}):\n${output()}`);
}

async function exited(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`still running after ${timeoutMs} ms`));
    }, timeoutMs);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code);
    });
  });
}
