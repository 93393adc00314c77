import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress, type Dial } from '../egress/egress.ts';
import type { FoundEngine } from '../engine/engine.ts';
import { type BubblewrapOptions, findBubblewrap } from '../engines/bubblewrap/bubblewrap.ts';
import { type E2bOptions, findE2b } from '../engines/e2b/e2b.ts';
import { findGvisor } from '../engines/gvisor/gvisor.ts';
import { findKubernetes, type KubernetesOptions } from '../engines/kubernetes/kubernetes.ts';
import { findControlGroups, readOwnGroups } from '../host/control-groups.ts';
import { locateProgram } from '../host/locate-program.ts';
import { type ClusterDouble, startCluster } from './cluster/cluster-double.ts';
import { type E2bDouble, startE2b } from './e2b/e2b-double.ts';
import { smallLimits } from './small-limits.ts';

const nowhere: Dial = async ({ host }) => {
  throw new Error(`${host} is not reached in tests`);
};

async function optionsOf(dial: Dial) {
  return {
    directory: await mkdtemp(join(tmpdir(), 'sluice-sandbox-')),
    rootDirectory: '/',
    limits: smallLimits,
    egress: createEgress(dial),
  };
}

/** Returns an engine with small limits, or the reason why it does not work on this machine. */
export async function bubblewrapHere(
  dial: Dial = nowhere,
  rest: Pick<BubblewrapOptions, 'controlGroupsFolder'> = {},
): Promise<FoundEngine> {
  return findBubblewrap({ binary: await bwrapHere(), ...(await optionsOf(dial)), ...rest });
}

/** Returns the path of bubblewrap. Undefined where there is none. */
export function bwrapHere(): Promise<string | undefined> {
  const named = process.env['BWRAP'];
  return locateProgram(process.env, { name: 'bwrap', folder: 'bubblewrap', named });
}

/** Returns gVisor with small limits, or the reason why it does not work on this machine. */
export async function gvisorHere(dial: Dial = nowhere): Promise<FoundEngine> {
  const named = process.env['RUNSC'];
  const binary = await locateProgram(process.env, { name: 'runsc', folder: 'gvisor', named });
  return findGvisor({ binary, ...(await optionsOf(dial)) });
}

/** Returns the options with which the engine finds a double of a cluster. */
export async function kubernetesOptions(
  cluster: ClusterDouble,
  dial: Dial = nowhere,
): Promise<KubernetesOptions> {
  const port = await freePort();
  cluster.proxyPort = port;
  return {
    env: {},
    apiUrl: cluster.url,
    accountFolder: cluster.accountFolder,
    namespace: undefined,
    image: 'boxes',
    runtimeClass: 'bubblewrap',
    egressAddress: `127.0.0.1:${port}`,
    lifetimeSeconds: 3_600,
    startTimeoutMs: 60_000,
    limits: smallLimits,
    egress: createEgress(dial),
  };
}

/** Returns the settings with which the service finds a double of a cluster. */
export async function clusterSettings(cluster: ClusterDouble): Promise<Record<string, string>> {
  const port = await freePort();
  cluster.proxyPort = port;
  return {
    SLUICE_SANDBOX_KUBERNETES_API_URL: cluster.url,
    SLUICE_SANDBOX_KUBERNETES_ACCOUNT_DIR: cluster.accountFolder,
    SLUICE_SANDBOX_KUBERNETES_IMAGE: 'boxes',
    SLUICE_SANDBOX_KUBERNETES_RUNTIME_CLASS: 'bubblewrap',
    SLUICE_SANDBOX_EGRESS_ADDRESS: `127.0.0.1:${port}`,
    SLUICE_SANDBOX_MEMORY_MIB: '128',
    SLUICE_SANDBOX_HOME_MIB: '16',
    SLUICE_SANDBOX_PROCESSES_MAX: '40',
  };
}

/** Returns the program that runs pods of a double, or the reason why none run on this machine. */
export async function podsHere(): Promise<
  { readonly bwrap: string } | { readonly missing: string }
> {
  const bubblewrap = await bubblewrapHere();
  if ('missing' in bubblewrap) return bubblewrap;
  const groups = await findControlGroups(await readOwnGroups());
  const bwrap = await bwrapHere();
  if (!groups || bwrap === undefined) return { missing: 'control groups bound the memory of pods' };
  return { bwrap };
}

/**
 * Returns the engine of Kubernetes on a double of a cluster, whose pods are namespaces of this machine, or the reason
 * why they do not work here. The double ends with the engine.
 */
export async function kubernetesHere(dial: Dial = nowhere): Promise<FoundEngine> {
  const pods = await podsHere();
  if ('missing' in pods) return pods;
  const cluster = await startCluster(pods.bwrap);
  const found = await findKubernetes(await kubernetesOptions(cluster, dial));
  return withDouble(found, () => cluster.close());
}

/** The size of machines of the double: it keeps the small limits. */
export const smallTemplate = { cpuCount: 1, memoryMB: 512 };

/** Returns the options with which the engine finds a double of E2B. */
export const e2bOptions = (e2b: E2bDouble): E2bOptions => ({
  apiKey: e2b.apiKey,
  apiUrl: e2b.url,
  sandboxUrl: e2b.url,
  domain: undefined,
  template: 'boxes',
  limits: smallLimits,
});

/** Returns the settings with which the service finds a double of E2B. */
export const e2bSettings = (e2b: E2bDouble): Record<string, string> => ({
  E2B_API_KEY: e2b.apiKey,
  E2B_API_URL: e2b.url,
  E2B_SANDBOX_URL: e2b.url,
  SLUICE_SANDBOX_E2B_TEMPLATE: 'boxes',
  SLUICE_SANDBOX_MEMORY_MIB: '128',
  SLUICE_SANDBOX_HOME_MIB: '16',
});

/** Returns the program that runs machines of a double, or the reason why none run on this machine. */
export async function machinesHere(): Promise<
  { readonly bwrap: string } | { readonly missing: string }
> {
  if (process.getuid?.() !== 0) return { missing: 'only root has users in a machine' };
  return podsHere();
}

/** Returns the engine of E2B on a double of it, or the reason why its machines do not work here. */
export async function e2bHere(): Promise<FoundEngine> {
  const machines = await machinesHere();
  if ('missing' in machines) return machines;
  const e2b = await startE2b(machines.bwrap, smallTemplate);
  const found = await findE2b(e2bOptions(e2b));
  return withDouble(found, () => e2b.close());
}

/** Lets a double end with its engine. */
async function withDouble(found: FoundEngine, close: () => Promise<void>): Promise<FoundEngine> {
  if ('missing' in found) {
    await close();
    return found;
  }
  return {
    name: found.name,
    description: found.description,
    open: (options) => found.open(options),
    async stop() {
      await found.stop();
      await close();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
