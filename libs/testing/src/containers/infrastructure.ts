import { randomBytes } from 'node:crypto';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import type { TestProject } from 'vitest/node';
import { images } from './images.ts';

/** docker-compose.yml has none: PostgreSQL has the facts of analytics there. */
const clickHouseImage = 'clickhouse/clickhouse-server:25.8';
const startTimeoutMs = 180_000;

/**
 * Vitest's global set-up of the `containers` project: suites of the `int` project, on the real images. `ESDB_URL` and
 * `CLICKHOUSE_URL` keep servers that are running already.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const secret = randomBytes(16).toString('hex');
  const [postgresServer, natsServer, eventStoreServer, clickHouseServer] = await Promise.all([
    postgres(secret),
    nats(secret),
    process.env['ESDB_URL'] === undefined ? eventStore() : undefined,
    process.env['CLICKHOUSE_URL'] === undefined ? clickHouse(secret) : undefined,
  ]);
  project.provide(
    'postgresUrl',
    `postgres://sluice:${secret}@${address(postgresServer, 5432)}/sluice`,
  );
  project.provide('natsUrl', `nats://${address(natsServer, 4222)}`);
  project.provide('natsToken', secret);
  project.provide('natsReaderPassword', secret);
  // Workers are started after this and inherit the environment.
  if (eventStoreServer)
    process.env['ESDB_URL'] = `esdb://${address(eventStoreServer, 2113)}?tls=false`;
  if (clickHouseServer)
    process.env['CLICKHOUSE_URL'] = `http://sluice:${secret}@${address(clickHouseServer, 8123)}`;
  const started = [postgresServer, natsServer, eventStoreServer, clickHouseServer].filter(
    (container) => container !== undefined,
  );
  return async () => {
    await Promise.all(started.map((container) => container.stop()));
  };
}

function address(container: StartedTestContainer, port: number): string {
  return `${container.getHost()}:${container.getMappedPort(port)}`;
}

function postgres(password: string): Promise<StartedTestContainer> {
  return new GenericContainer(images.postgres)
    .withEnvironment({
      POSTGRES_USER: 'sluice',
      POSTGRES_DB: 'sluice',
      POSTGRES_PASSWORD: password,
    })
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2))
    .withStartupTimeout(startTimeoutMs)
    .start();
}

function nats(token: string): Promise<StartedTestContainer> {
  const configuration = [
    'jetstream { store_dir: /data, sync_interval: always }',
    `authorization { users: [{ user: sluice, password: "${token}" }, { user: reader, password: "${token}" }] }`,
    'http: 8222',
  ].join('\n');
  return new GenericContainer(images.nats)
    .withCopyContentToContainer([{ content: configuration, target: '/etc/nats/sluice.conf' }])
    .withCommand(['-c', '/etc/nats/sluice.conf'])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .withStartupTimeout(startTimeoutMs)
    .start();
}

function eventStore(): Promise<StartedTestContainer> {
  return new GenericContainer(images.eventStore)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
    })
    .withExposedPorts(2113)
    .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204))
    .withStartupTimeout(startTimeoutMs)
    .start();
}

function clickHouse(password: string): Promise<StartedTestContainer> {
  return new GenericContainer(clickHouseImage)
    .withEnvironment({ CLICKHOUSE_USER: 'sluice', CLICKHOUSE_PASSWORD: password })
    .withExposedPorts(8123)
    .withWaitStrategy(Wait.forHttp('/ping', 8123).forStatusCode(200))
    .withStartupTimeout(startTimeoutMs)
    .start();
}
