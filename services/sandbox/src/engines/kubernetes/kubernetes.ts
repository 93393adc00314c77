import type { Box, BoxOptions, Engine, FoundEngine } from '../../engine/engine.ts';
import type { BoxLimits } from '../../engine/limits.ts';
import { engineOfBoxes } from '../../engine/engine-of-boxes.ts';
import type { Egress } from '../../egress/egress.ts';
import { type Cluster, type ClusterSettings, findCluster } from './cluster.ts';
import { type EgressDoor, openEgressDoor } from './egress-door.ts';
import { addressesOf, boxLabels, podManifest } from './pod.ts';
import { holdPod } from './pod-box.ts';
import { problemOfCluster } from './probe.ts';
import { runInPod } from './run-in-pod.ts';

export interface KubernetesOptions extends ClusterSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly image: string | undefined;
  readonly runtimeClass: string | undefined;
  /** `host:port` at which pods reach the egress proxy of this process. */
  readonly egressAddress: string | undefined;
  readonly lifetimeSeconds: number;
  readonly startTimeoutMs: number;
  readonly limits: BoxLimits;
  readonly egress: Egress;
}

/** Everything that the boxes of this engine share. */
export interface Shared {
  readonly cluster: Cluster;
  readonly door: EgressDoor;
  readonly image: string;
  readonly runtimeClass: string;
  readonly egressAddress: string;
  readonly lifetimeSeconds: number;
  readonly startTimeoutMs: number;
  readonly limits: BoxLimits;
}

/** Returns the engine if the cluster holds boxes as it should, otherwise the reason why not. */
export async function findKubernetes(options: KubernetesOptions): Promise<FoundEngine> {
  const { image, runtimeClass, egressAddress } = options;
  if (!image) return { missing: 'SLUICE_SANDBOX_KUBERNETES_IMAGE is not set' };
  if (!runtimeClass) return { missing: 'SLUICE_SANDBOX_KUBERNETES_RUNTIME_CLASS is not set' };
  const port = Number(egressAddress?.split(':').at(-1));
  if (!egressAddress || !Number.isInteger(port))
    return { missing: 'SLUICE_SANDBOX_EGRESS_ADDRESS is no host:port that pods reach' };
  const cluster = await findCluster(options.env, options);
  if ('missing' in cluster) return cluster;
  const failed = (problem: string) => ({ missing: `Kubernetes does not work here: ${problem}` });
  let door: EgressDoor | undefined;
  try {
    door = await openEgressDoor(options.egress, port);
    // Pods that an earlier process of this service left behind.
    await cluster.deletePods(boxLabels);
    const { lifetimeSeconds, startTimeoutMs, limits } = options;
    const chosen = { image, runtimeClass, egressAddress, lifetimeSeconds, startTimeoutMs, limits };
    const engine = engineOf({ cluster, door, ...chosen });
    const problem = await problemOfCluster(engine, { egressAddress, limits, cluster });
    if (problem === undefined) return engine;
    await engine.stop();
    return failed(problem);
  } catch (error) {
    await door?.close();
    await cluster.close();
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function engineOf(shared: Shared): Engine {
  const { cluster, runtimeClass, door } = shared;
  const description =
    `kubernetes: pods of the runtime class ${runtimeClass} in ${cluster.namespace}, ` +
    'network policies and limits tried at the start, home in memory';
  const about = { name: 'kubernetes', description };
  return engineOfBoxes(
    about,
    (options) => openBox(shared, options),
    async () => {
      await door.close();
      await cluster.close();
    },
  );
}

async function openBox(shared: Shared, options: BoxOptions): Promise<Box> {
  const { cluster, door, limits, startTimeoutMs, egressAddress } = shared;
  const { network } = options;
  const hasProxy = network.type === 'allowlist';
  const manifest = podManifest({ ...shared, hasProxy });
  const pod = await holdPod({ cluster, manifest, limits, startTimeoutMs });
  const dismiss = hasProxy ? door.admit(addressesOf(pod.pod), network.allowedDomains) : undefined;
  const lost = pod.ended.then(async (sentence) => {
    await dismiss?.();
    return sentence;
  });
  const running = { pod, limits, proxy: hasProxy ? `http://${egressAddress}` : undefined };
  return {
    run: (command) => runInPod(running, command),
    async close() {
      await dismiss?.();
      await pod.end().catch(() => undefined);
    },
    lost,
  };
}
