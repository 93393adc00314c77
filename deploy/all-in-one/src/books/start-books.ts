import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lifecycle } from '@sluice/boot';
import { servesMessage } from '@sluice/boot/run-service';
import { endLeftover, freePort, SetupProblem, type WatchedProcess } from '@sluice/embedded';
import {
  type LocalSecrets,
  type LocalSettings,
  logFileOf,
  readinessAt,
  startServiceProcess,
  supervise,
  type Supervised,
} from '@sluice/local';
import type { Logger } from '@sluice/logging';
import type { Parts } from '../parts.ts';
import type { Platform } from '../platform.ts';
import { addressSetting, type BookService, bookServices } from './services.ts';

/** The addresses of the books, and of the service that they call: the same after each start of them. */
export interface Places {
  /** `host:port` by the name of the service. */
  readonly addresses: Readonly<Record<BookService | 'workspace', string>>;
  readonly booksAdminPort: number;
}

export interface BooksOptions extends Places {
  readonly settings: LocalSettings;
  readonly dataDirectory: string;
  readonly secrets: Pick<LocalSecrets, 'rpcToken'>;
  readonly platform: Pick<Platform, 'postgresUrl' | 'nats'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
}

/** The part of the books that the admin port shows. */
export interface Books {
  unreadiness(): Promise<readonly string[]>;
  degradation(): Promise<readonly string[]>;
  /** Returns metrics in the Prometheus text format: none while the books do not answer. */
  metrics(): Promise<string>;
}

const program = join(import.meta.dirname, 'main.ts');
/** At rest they use less than 60 MiB of it. V8 collects a heap with a lower bound after little growth. */
const heapMibMax = 2_048;
const startTimeoutMs = 120_000;
const metricsTimeoutMs = 2_000;

/** Chooses ports of this machine that are free now. */
export async function choosePlaces(): Promise<Places> {
  const taken = new Set<number>();
  const port = async () => {
    const free = await freePort(taken);
    taken.add(free);
    return free;
  };
  const address = async () => `127.0.0.1:${await port()}`;
  return {
    addresses: {
      ledger: await address(),
      analytics: await address(),
      observer: await address(),
      workspace: await address(),
    },
    booksAdminPort: await port(),
  };
}

/**
 * Starts the process of the books and waits until it serves. It is started again whenever it ends: requests go on
 * meanwhile. An earlier one whose parent was killed ends first. It stops with the lifecycle.
 */
export async function startBooks(
  options: BooksOptions,
  parts: Pick<Parts, 'addElsewhere'>,
): Promise<Books> {
  const supervised = superviseOne(options);
  // At once: the services that start meanwhile need the books until they have stopped.
  options.lifecycle.add({
    name: 'books',
    stop: () =>
      supervised.then(
        (running) => running.stop(),
        () => undefined,
      ),
  });
  await supervised;
  // Not before: a client that finds nothing there waits for up to a second until it tries again.
  const { ledger, analytics, observer } = options.addresses;
  parts.addElsewhere({ ledger, analytics, observer });
  return booksAt(`http://127.0.0.1:${options.booksAdminPort}`);
}

async function superviseOne(options: BooksOptions): Promise<Supervised> {
  const { dataDirectory, logger } = options;
  const run = join(dataDirectory, 'run');
  await mkdir(run, { recursive: true, mode: 0o700 });
  const pidFile = join(run, 'books.pid');
  const marker = `${program} ${dataDirectory}`;
  await endLeftover({ name: 'books', pidFile, marker, stopSignal: 'SIGTERM' });
  return await supervise({ name: 'books', pidFile, start: () => startOne(options), logger });
}

function booksAt(adminUrl: string): Books {
  return {
    async unreadiness() {
      const found = await readinessAt(adminUrl);
      return found && !found.isReady ? found.reasons : [];
    },
    async degradation() {
      const found = await readinessAt(adminUrl);
      if (found === undefined) return ['the books do not answer'];
      return found.isReady ? found.reasons : [];
    },
    async metrics() {
      const signal = AbortSignal.timeout(metricsTimeoutMs);
      return await fetch(`${adminUrl}/metrics`, { signal }).then(
        (response) => response.text(),
        () => '',
      );
    },
  };
}

async function startOne(options: BooksOptions): Promise<WatchedProcess> {
  const { settings, dataDirectory } = options;
  const running = await startServiceProcess({
    name: 'books',
    program,
    dataDirectory,
    settings,
    env: environmentOf(options),
    nodeOptions: [`--max-old-space-size=${heapMibMax}`],
    channel: true,
  });
  try {
    await untilServes(running, logFileOf(dataDirectory, 'books'));
    return running;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function untilServes({ child, exited }: WatchedProcess, logFile: string): Promise<void> {
  const serves = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (message === servesMessage) resolve();
    });
  });
  const timer = new AbortController();
  const problem = (sentence: string) =>
    new SetupProblem(`${sentence} while starting: ${logFile} says why.`);
  const failed = Promise.race([
    exited,
    delay(startTimeoutMs, 'books did not serve within 2 min', { signal: timer.signal }),
  ]).then((sentence) => {
    throw problem(sentence);
  });
  failed.catch(() => undefined);
  await Promise.race([serves, failed]).finally(() => timer.abort());
}

function environmentOf({
  dataDirectory,
  secrets: { rpcToken },
  platform: { postgresUrl, nats },
  addresses,
  booksAdminPort,
}: BooksOptions): Readonly<Record<string, string | undefined>> {
  return {
    ...Object.fromEntries(bookServices.map((name) => [addressSetting(name), addresses[name]])),
    SLUICE_WORKSPACE_ADDRESS: addresses.workspace,
    SLUICE_DATA_DIR: dataDirectory,
    SLUICE_HOST: '127.0.0.1',
    SLUICE_ADMIN_PORT: String(booksAdminPort),
    SLUICE_RPC_TOKEN: rpcToken,
    SLUICE_POSTGRES_URL: postgresUrl,
    SLUICE_NATS_URL: nats.url,
    SLUICE_NATS_TOKEN: nats.token,
    SLUICE_NATS_MONITOR_URL: nats.monitorUrl,
  };
}
