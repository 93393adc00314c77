import { randomBytes, randomInt } from 'node:crypto';
import { homeDirectory } from '../../engine/engine.ts';
import type { BoxLimits } from '../../engine/limits.ts';

/** The fields of a pod that boxes are watched by; everything else of it is ignored. */
export interface Pod {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly conditions?: readonly { readonly message?: string; readonly status?: string }[];
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly running?: object;
        readonly waiting?: { readonly reason?: string; readonly message?: string };
        readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
      };
    }[];
  };
}

export type PodManifest = ReturnType<typeof podManifest>;

export interface PodOptions {
  readonly image: string;
  readonly runtimeClass: string;
  readonly limits: BoxLimits;
  readonly hasProxy: boolean;
  /** The longest life of a pod, also of one whose owner is gone. */
  readonly lifetimeSeconds: number;
}

/** Labels of all boxes. `deploy/kubernetes/sandbox-pods.yaml` gives rights and policies to pods with these. */
export const boxLabels = {
  'app.kubernetes.io/name': 'sluice',
  'app.kubernetes.io/component': 'sandbox-box',
} as const;
/** The label that the policies of networks select by. */
export const networkLabel = 'sluice/network';
export const containerName = 'box';

/** A pod that nobody attaches to for so long ends. */
export const attachSeconds = 120;

/**
 * The first process of a pod. It ends with its input, which the API closes when the owner is gone. It collects the
 * processes that commands leave behind, for which it must not wait by `read -t`: that blocks the signal of their ends.
 */
const init = `echo ready; read -t ${attachSeconds} -r _ && while read -r _; do :; done`;

const mebibyte = 1_048_576;
/** Memory of the first process and of the runtime's own parts in the pod. */
const ownMemoryBytes = 32 * mebibyte;
/** The root is read-only and the home lies in memory: the disk takes nothing but the log of the first process. */
const diskBytes = 64 * mebibyte;
const firstUser = 1_000_000;
const usersMax = 2_000_000_000;

/** Returns the description of a pod that runs one box. */
export function podManifest({
  image,
  runtimeClass,
  limits,
  hasProxy,
  lifetimeSeconds,
}: PodOptions) {
  // The kernel counts the processes of a user on a node: boxes of one user would share their limit.
  const user = randomInt(firstUser, usersMax);
  const bounds = {
    cpu: `${Math.round(limits.cpus * 1_000)}m`,
    // A volume in memory counts as memory of the container.
    memory: String(limits.memoryBytes + limits.homeBytes + ownMemoryBytes),
    'ephemeral-storage': String(diskBytes),
  };
  const shared = { name: 'memory', readOnly: false };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `sluice-box-${randomBytes(8).toString('hex')}`,
      labels: { ...boxLabels, [networkLabel]: hasProxy ? 'allowlist' : 'none' },
    },
    spec: {
      runtimeClassName: runtimeClass,
      restartPolicy: 'Never',
      activeDeadlineSeconds: lifetimeSeconds,
      terminationGracePeriodSeconds: 0,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      hostNetwork: false,
      hostPID: false,
      hostIPC: false,
      hostname: 'sandbox',
      // Names are resolved by the egress proxy. A name server would be a way out by itself.
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['127.0.0.1'] },
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: containerName,
          image,
          command: ['/bin/bash', '--norc', '-c', init],
          workingDir: homeDirectory,
          stdin: true,
          stdinOnce: true,
          tty: false,
          resources: { limits: bounds, requests: { ...bounds, cpu: '50m' } },
          securityContext: {
            privileged: false,
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            runAsNonRoot: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [
            { ...shared, subPath: 'home', mountPath: homeDirectory },
            { ...shared, subPath: 'tmp', mountPath: '/tmp' },
            { ...shared, subPath: 'shm', mountPath: '/dev/shm' },
          ],
        },
      ],
      volumes: [
        { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: String(limits.homeBytes) } },
      ],
    },
  };
}

/** Returns the addresses of a pod. */
export function addressesOf({ status }: Pod): readonly string[] {
  const all = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  return [...new Set(all.filter((ip) => ip !== undefined && ip !== ''))] as string[];
}

export const isRunning = ({ status }: Pod): boolean =>
  status?.phase === 'Running' && status.containerStatuses?.[0]?.state?.running !== undefined;

export const hasEnded = ({ status }: Pod): boolean =>
  ['Succeeded', 'Failed'].includes(status?.phase ?? '');

/** Says why a pod has ended, or why it does not begin. */
export function wordsOf({ status }: Pod): string {
  const { waiting, terminated } = status?.containerStatuses?.[0]?.state ?? {};
  const waitsFor = status?.conditions?.find(
    (one) => one.status === 'False' && one.message,
  )?.message;
  const words = [
    status?.reason,
    status?.message,
    terminated?.reason,
    waiting?.reason,
    waiting?.message ?? waitsFor,
  ].filter(Boolean);
  return (words.length === 0 ? (status?.phase ?? 'no status') : words.join(': ')).slice(0, 300);
}

/** Reasons for which a container that waits will never begin. */
const hopeless = [
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff',
];

export const isHopeless = ({ status }: Pod): boolean =>
  hopeless.includes(status?.containerStatuses?.[0]?.state?.waiting?.reason ?? '');
