import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endLeftover, requireFreePort } from '@sluice/embedded';
import {
  announcement,
  bootstrapOverRpc,
  type LocalSettings,
  localSecrets,
  logFileOf,
  modelToTryAt,
  type Progress,
  provideNats,
  providePostgres,
  provideSimulator,
  readinessAt,
  type Running,
  stopHint,
  supervise,
  tellConnections,
  tellDegradation,
  tellSandbox,
  wantsSimulator,
} from '@sluice/local';
import type { Lifecycle } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import { eventStoreProgram, superviseEventStore } from './infrastructure.ts';
import { keptPorts } from './ports.ts';
import { untilReady } from './readiness.ts';
import {
  addressOf,
  adminUrlOf,
  programOf,
  serviceNames,
  startService,
  type Surroundings,
} from './service-process.ts';

export interface ProcessesOptions {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly progress: Progress;
  readonly logger: Logger;
  /** Started parts are added to it. The caller stops it, also after a failed start. */
  readonly lifecycle: Lifecycle;
}

/** Starts every part as a process of its own and prints what a first request needs. */
export async function startProcesses(options: ProcessesOptions): Promise<void> {
  const { settings, dataDirectory, progress } = options;
  const { SLUICE_HOST: host, SLUICE_PORT: port, SLUICE_ADMIN_PORT: adminPort } = settings;
  const run = join(dataDirectory, 'run');
  await mkdir(run, { recursive: true, mode: 0o700 });
  await endEarlierServices(run, dataDirectory);
  await requireFreePort(host, port, 'SLUICE_PORT');
  await requireFreePort(host, adminPort, 'SLUICE_ADMIN_PORT');
  const surroundings = await startSurroundings(options, run);
  await progress.step('services', () =>
    Promise.all(
      serviceNames.map(async (name) => {
        await superviseIn(options, run, name, () => startService(name, surroundings));
        const logFile = logFileOf(dataDirectory, name);
        const adminUrl = adminUrlOf(surroundings, name);
        await untilReady({ name, adminUrl, logFile, say: (line) => progress.say(line) });
      }),
    ),
  );
  const baseUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/v1`;
  const { ports, secrets, postgresUrl, eventStoreUrl, nats } = surroundings;
  const { rpcToken, eventKey } = secrets;
  const [accountAddress, ledgerAddress] = [addressOf(ports, 'account'), addressOf(ports, 'ledger')];
  const workspaceAddress = addressOf(ports, 'workspace');
  const keyAddress = addressOf(ports, 'key');
  const addresses = {
    accountAddress,
    workspaceAddress,
    keyAddress,
    ledgerAddress,
    analyticsAddress: addressOf(ports, 'analytics'),
    sandboxAddress: addressOf(ports, 'sandbox'),
  };
  const eventStoreNamespace = settings.SLUICE_EVENTSTORE_NAMESPACE;
  const stores = { postgresUrl, eventStoreUrl, eventStoreNamespace, nats };
  const connections = { ...stores, ...addresses, rpcToken, eventKey };
  await tellConnections(dataDirectory, connections, options.lifecycle);
  const made = await bootstrapOverRpc({
    dataDirectory,
    creditsUsd: settings.SLUICE_BOOTSTRAP_CREDITS_USD,
    baseUrl,
    token: rpcToken,
    onWaiting: (reason) => progress.say(`  the first start waits: ${reason}`),
    addresses: {
      account: accountAddress,
      workspace: workspaceAddress,
      key: keyAddress,
      ledger: ledgerAddress,
    },
  });
  await tellSandbox({ address: addressOf(ports, 'sandbox'), token: rpcToken }, progress);
  progress.say(announcement(made, await modelToTryAt(made.base_url)));
  progress.say(stopHint);
  const ask = () => reasonsOf(surroundings);
  tellDegradation({ ask, progress, lifecycle: options.lifecycle });
}

async function reasonsOf(surroundings: Surroundings): Promise<readonly string[]> {
  const asked = serviceNames.map((name) => readinessAt(adminUrlOf(surroundings, name)));
  return (await Promise.all(asked)).flatMap((readiness) => readiness?.reasons ?? []);
}

/** Waits until the watchdogs of a killed supervisor have ended its processes. */
async function endEarlierServices(run: string, dataDirectory: string): Promise<void> {
  await Promise.all([
    ...serviceNames.map((name) =>
      endLeftover({
        name,
        pidFile: join(run, `${name}.pid`),
        marker: `${programOf(name)} ${dataDirectory}`,
        stopSignal: 'SIGTERM',
      }),
    ),
    endLeftover({
      name: 'event store',
      pidFile: join(run, 'eventstore.pid'),
      marker: `${eventStoreProgram} --dir ${dataDirectory}`,
      stopSignal: 'SIGTERM',
    }),
  ]);
}

async function startSurroundings(options: ProcessesOptions, run: string): Promise<Surroundings> {
  const { settings, env, dataDirectory } = options;
  const { SLUICE_PORT: port, SLUICE_ADMIN_PORT: adminPort } = settings;
  const secrets = await localSecrets(dataDirectory);
  const ports = await keptPorts(dataDirectory, [port, adminPort]);
  const infrastructure = {
    ...options,
    ports,
    run: (name: string, start: () => Promise<Running>) =>
      options.progress.step(name, () => superviseIn(options, run, name, start)),
  };
  const [postgresUrl, nats, eventStoreUrl, simulatorUrl] = await Promise.all([
    providePostgres(infrastructure),
    provideNats(infrastructure),
    superviseEventStore(infrastructure),
    wantsSimulator(settings, env) ? provideSimulator(options) : undefined,
  ]);
  const found = { postgresUrl, nats, eventStoreUrl, simulatorUrl };
  return { settings, env, dataDirectory, ports, secrets, ...found };
}

async function superviseIn(
  { lifecycle, logger }: ProcessesOptions,
  run: string,
  name: string,
  start: () => Promise<Running>,
): Promise<void> {
  lifecycle.add(await supervise({ name, pidFile: join(run, `${name}.pid`), start, logger }));
}
