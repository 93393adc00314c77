import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { descendantsOf } from '@sluice/testing/process-stat';
import type { Upstream } from '../../harness/upstream/upstream.ts';
import { createClient } from '../../management/client.ts';
import { type Door, responsesDoor } from '../door.ts';
import type { Subject, SubjectName, SubjectPids } from '../subject.ts';
import { benchCatalog, benchModel, vectorsModel } from './catalog.ts';

export interface SluiceOptions {
  readonly upstream: Upstream;
  /** On the disk that the data of a real one would be on. What is made in it is removed again. */
  readonly folder: string;
  /** On top of the settings of the bench. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whose sources are measured; this one's when absent. */
  readonly checkout?: string | undefined;
}

/** Raises the rate limits, which are not measured. All other settings are the defaults. */
export const benchSettings = {
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: '1000000',
  SLUICE_INFERENCE_OPEN_MAX: '10000',
  SLUICE_BOOTSTRAP_CREDITS_USD: '1000000',
} as const;
const keyLimitUsd = 100_000;

/** Everything in one process, with keys, hard limits, the books and the catalog on. */
export async function startSluice(
  options: SluiceOptions,
  name: SubjectName = 'sluice',
): Promise<Subject> {
  const running = await startBenchInstance(options, 'all-in-one');
  const { pid } = running.instance;
  return subjectOf(name, running, async () => ({
    measured: [pid],
    others: await descendantsOf([pid]),
  }));
}

/** The same with each service as a process of its own; gateway and routing are what requests go through. */
export async function startSluiceTwo(options: SluiceOptions): Promise<Subject> {
  const running = await startBenchInstance(options, 'processes');
  const { pid, dataDirectory } = running.instance;
  const pidOf = async (part: string) =>
    Number(await readFile(join(dataDirectory, 'run', `${part}.pid`), 'utf8'));
  const pids = async () => {
    const measured = [await pidOf('gateway'), await pidOf('routing')];
    const below = await descendantsOf([pid]);
    return { measured, others: [pid, ...below.filter((other) => !measured.includes(other))] };
  };
  const text = await readFile(join(dataDirectory, 'ports.json'), 'utf8');
  const ports = JSON.parse(text) as Readonly<Record<string, number>>;
  const otherAdminUrls = ['routing-admin', 'ledger-admin'].map(
    (name) => `http://127.0.0.1:${ports[name]}`,
  );
  return { ...subjectOf('sluice-two', running, pids), otherAdminUrls };
}

/** Another door of a running Sluice, which goes on when this subject stops. */
export function doorOf(sluice: Subject, name: SubjectName, door: Door): Subject {
  const path = sluice.path.replace(sluice.door.path, door.path);
  const model = door.makesVectors ? vectorsModel : sluice.model;
  return { ...sluice, name, path, door, model, stop: async () => {} };
}

export interface Running {
  readonly instance: Instance;
  readonly key: string;
  stop(): Promise<void>;
}

/** A running Sluice with the settings and the catalog of the bench, and a key with a limit. */
export async function startBenchInstance(
  { upstream, folder, environment, checkout }: SluiceOptions,
  program: 'all-in-one' | 'processes',
): Promise<Running> {
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(folder, `${program}-`));
  const removeScratch = () => rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  try {
    const catalog = join(scratch, 'catalog.yaml');
    await writeFile(catalog, benchCatalog(upstream.port));
    const settings = {
      ...benchSettings,
      BENCH_UPSTREAM_KEY: 'bench',
      SLUICE_CATALOG: catalog,
      SLUICE_DATA_DIR: join(scratch, 'data'),
      ...environment,
    };
    const instance = await startInstance(settings, program, checkout);
    const stop = async () => {
      await instance.dispose();
      await removeScratch();
    };
    const key = await limitedKey(instance).catch(async (error: unknown) => {
      await stop();
      throw error;
    });
    return { instance, key, stop };
  } catch (error) {
    await removeScratch();
    throw error;
  }
}

/** A key with a limit of its own, below the credits of its account. */
async function limitedKey({ bootstrap }: Instance): Promise<string> {
  const client = createClient(bootstrap.base_url, bootstrap.management_key);
  try {
    const body = { name: 'bench', limit: keyLimitUsd, limit_reset: 'daily' };
    return (JSON.parse(await client.send('POST', '/keys', body)) as { key: string }).key;
  } finally {
    await client.stop();
  }
}

function subjectOf(name: SubjectName, running: Running, pids: () => Promise<SubjectPids>): Subject {
  const { instance, key } = running;
  const { port, pathname } = new URL(`${instance.bootstrap.base_url}/responses`);
  return {
    name,
    port: Number(port),
    path: pathname,
    door: responsesDoor,
    model: benchModel,
    headers: { authorization: `Bearer ${key}` },
    adminUrl: instance.adminUrl,
    dataDirectory: instance.dataDirectory,
    management: { url: instance.bootstrap.base_url, key: instance.bootstrap.management_key },
    pids,
    stop: () => running.stop(),
  };
}
