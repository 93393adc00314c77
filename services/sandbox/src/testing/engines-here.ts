import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress, type Dial } from '../egress/egress.ts';
import type { FoundEngine } from '../engine/engine.ts';
import { type BubblewrapOptions, findBubblewrap } from '../engines/bubblewrap/bubblewrap.ts';
import { findGvisor } from '../engines/gvisor/gvisor.ts';
import { findKubernetes, type KubernetesOptions } from '../engines/kubernetes/kubernetes.ts';
import { findControlGroups, readOwnGroups } from '../host/control-groups.ts';
import { locateProgram } from '../host/locate-program.ts';
import { type ClusterDouble, startCluster } from './cluster/cluster-double.ts';
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
  if ('missing' in found) {
    await cluster.close();
    return found;
  }
  return {
    name: found.name,
    description: found.description,
    open: (options) => found.open(options),
    async stop() {
      await found.stop();
      await cluster.close();
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
