import { requireFreePort, SetupProblem } from '@sluice/embedded';
import { type InferencePort, wholeText } from '@sluice/inference-port';
import {
  announcement,
  bootstrap,
  type LocalSettings,
  type ModelList,
  localSecrets,
  provideSandbox,
  modelToTry,
  stopHint,
  type Progress,
  tellConnections,
  tellDegradation,
  tellSandbox,
} from '@sluice/local';
import { type Lifecycle, startAdmin, telemetryOptions } from '@sluice/boot';
import type { Logger } from '@sluice/logging';
import { createTelemetry } from '@sluice/telemetry';
import { addUp } from './books/add-up.ts';
import { type Books, choosePlaces, startBooks } from './books/start-books.ts';
import { createParts } from './parts.ts';
import { startPlatform } from './platform.ts';
import { type Services, startServices } from './services.ts';

export interface AllInOneOptions {
  readonly settings: LocalSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly dataDirectory: string;
  readonly progress: Progress;
  readonly logger: Logger;
  /** Started parts are added to it. The caller stops it, also after a failed start. */
  readonly lifecycle: Lifecycle;
  /** Told when a part ends that nobody stopped. */
  readonly onLost: (sentence: string) => void;
}

/** Starts every part in order and prints what a first request needs. Resolves when it is ready. */
export async function startAllInOne(options: AllInOneOptions): Promise<void> {
  const { settings, dataDirectory, lifecycle, progress } = options;
  const { SLUICE_HOST: host, SLUICE_PORT: port, SLUICE_ADMIN_PORT: adminPort } = settings;
  if (port === adminPort && port !== 0)
    throw new SetupProblem(
      `SLUICE_PORT and SLUICE_ADMIN_PORT are both ${port}: set one to another.`,
    );
  await requireFreePort(host, port, 'SLUICE_PORT');
  await requireFreePort(host, adminPort, 'SLUICE_ADMIN_PORT');
  const secrets = await localSecrets(dataDirectory);
  const telemetry = createTelemetry(telemetryOptions('sluice', settings));
  lifecycle.add({ name: 'telemetry', stop: () => telemetry.stop() });
  const [platform, sandboxAddress] = await Promise.all([
    startPlatform({ ...options, eventKey: secrets.eventKey, telemetry }),
    provideSandbox({ ...options, rpcToken: secrets.rpcToken }),
  ]);
  const places = await choosePlaces();
  const needed = { ...options, ...places, platform, secrets, sandboxAddress, telemetry };
  const parts = createParts(needed);
  const [books, services] = await progress.step('services', () =>
    Promise.all([startBooks(needed, parts), startServices(needed, parts)]),
  );
  let starting = true;
  const standing = standingOf(services, books);
  const admin = await startAdmin({
    host,
    port: adminPort,
    unreadiness: async () => [
      ...(starting ? ['still starting'] : []),
      ...(await standing.unreadiness()),
    ],
    degradation: standing.degradation,
    metrics: async () => addUp(await telemetry.prometheus(), await books.metrics()),
  });
  lifecycle.add({ name: 'admin', stop: () => admin.stop() });
  const { clients, gateway, inference } = services;
  const { postgresUrl, eventStoreUrl, nats } = platform;
  const addresses = {
    accountAddress: parts.addressOf('account'),
    workspaceAddress: parts.addressOf('workspace'),
    keyAddress: parts.addressOf('key'),
    ledgerAddress: parts.addressOf('ledger'),
    analyticsAddress: parts.addressOf('analytics'),
    sandboxAddress,
  };
  const { rpcToken, eventKey } = secrets;
  const eventStoreNamespace = settings.SLUICE_EVENTSTORE_NAMESPACE;
  const stores = { postgresUrl, eventStoreUrl, eventStoreNamespace, nats };
  const connections = { ...stores, ...addresses, rpcToken, eventKey };
  await tellConnections(dataDirectory, connections, lifecycle);
  const made = await bootstrap(
    {
      dataDirectory,
      creditsUsd: settings.SLUICE_BOOTSTRAP_CREDITS_USD,
      ...clients,
      onWaiting(reason) {
        progress.say(`  the first start waits: ${reason}`);
        options.logger.warn(`the first start waits: ${reason}`);
      },
    },
    async () => `http://${urlHost(host)}:${await gateway.listen(host, port)}/v1`,
  );
  const model = modelToTry(await listedModels(inference));
  starting = false;
  progress.say(`\nAdmin           http://${urlHost(host)}:${admin.port} (livez, readyz, metrics)`);
  await tellSandbox({ address: sandboxAddress, token: rpcToken }, progress);
  progress.say(announcement(made, model));
  progress.say(stopHint);
  tellDegradation({ ask: standing.all, progress, lifecycle });
}

/** Returns why nothing is served, and why only a part: by the services of this process, and by the books. */
function standingOf(services: Services, books: Books) {
  const unreadiness = async () => [...services.unreadiness(), ...(await books.unreadiness())];
  const degradation = async () => [...services.degradation(), ...(await books.degradation())];
  const all = async () => [...(await unreadiness()), ...(await degradation())];
  return { unreadiness, degradation, all };
}

/** Returns the answer of `GET /v1/models` without the memory of an HTTP request. */
async function listedModels(inference: Pick<InferencePort, 'readCatalog'>): Promise<ModelList> {
  const { body } = await inference.readCatalog({
    view: 'models',
    parameters: {},
    reportsMeasured: false,
  });
  return JSON.parse(await wholeText(body)) as ModelList;
}

/** An address that a client on this machine can use. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
