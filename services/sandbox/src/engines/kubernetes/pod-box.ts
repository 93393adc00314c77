import { setTimeout as delay } from 'node:timers/promises';
import type { BoxLimits } from '../../engine/limits.ts';
import { type Channels, openChannels } from './channels.ts';
import type { Cluster } from './cluster.ts';
import {
  containerName,
  hasEnded,
  isHopeless,
  isRunning,
  type Pod,
  type PodManifest,
  wordsOf,
} from './pod.ts';

/** A pod that this process holds: it ends with this process. */
export interface HeldPod {
  readonly name: string;
  readonly pod: Pod;
  /** Resolves with a sentence when it has ended. */
  readonly ended: Promise<string>;
  /** Resolves when its first process has ended, which is before the cluster says why. */
  readonly broken: Promise<unknown>;
  /** Opens the channels of a program in it. */
  exec(argv: readonly string[]): Promise<Channels>;
  /** Ends it with all of its processes. */
  end(): Promise<void>;
  /** Ends a pod that does not work any more. Returns the words of the cluster about it. */
  giveUp(): Promise<string>;
}

export interface HoldOptions {
  readonly cluster: Cluster;
  readonly manifest: PodManifest;
  readonly limits: BoxLimits;
  readonly startTimeoutMs: number;
}

/** Nodes end attachments on which nothing is sent for hours (`streamingConnectionIdleTimeout`). */
const heartbeatMs = 60_000;
const newline = Buffer.from('\n');

/** Makes a pod and attaches to its first process, whose input the cluster closes when this process is gone. */
export async function holdPod(options: HoldOptions): Promise<HeldPod> {
  const { cluster, manifest } = options;
  const { name } = manifest.metadata;
  await cluster.createPod(manifest);
  try {
    const pod = await started(options);
    const attach = new URLSearchParams({ container: containerName, stdin: 'true' });
    const hold = await openChannels(cluster, `${name}/attach?${attach.toString()}`);
    hold.stdout.resume();
    hold.stderr.resume();
    return heldPod(options, pod, hold);
  } catch (error) {
    await cluster.deletePod(name).catch(() => undefined);
    throw error;
  }
}

function heldPod({ cluster, manifest, limits }: HoldOptions, pod: Pod, hold: Channels): HeldPod {
  const { name } = manifest.metadata;
  hold.send(newline);
  const heartbeat = setInterval(() => hold.send(newline), heartbeatMs);
  heartbeat.unref();
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<string>();
  let ending: Promise<void> | undefined;
  const end = () => {
    clearInterval(heartbeat);
    ending ??= (async () => {
      hold.close();
      setEnded('the container was closed');
      await cluster.deletePod(name);
    })();
    return ending;
  };
  let givingUp: Promise<string> | undefined;
  const giveUp = () => {
    givingUp ??= (async () => {
      const reason = await lastState(cluster, name).then(
        (state) => reasonOf(state, limits),
        () => 'Kubernetes does not answer',
      );
      setEnded(reason);
      await end().catch(() => undefined);
      return reason;
    })();
    return givingUp;
  };
  void hold.ended.then(async () => {
    if (ending === undefined) await giveUp();
  });
  return {
    name,
    pod,
    ended,
    broken: hold.ended,
    giveUp,
    end,
    exec(argv) {
      const query = new URLSearchParams({
        container: containerName,
        stdin: 'true',
        stdout: 'true',
      });
      query.set('stderr', 'true');
      for (const word of argv) query.append('command', word);
      return openChannels(cluster, `${name}/exec?${query.toString()}`);
    },
  };
}

const firstPauseMs = 50;
const pauseMsMax = 500;

/** Waits until the pod runs. Throws with the cluster's words when it does not. */
async function started({ cluster, manifest, startTimeoutMs }: HoldOptions): Promise<Pod> {
  const deadlineMs = performance.now() + startTimeoutMs;
  const { name } = manifest.metadata;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
    const pod = await cluster.pod(name);
    if (pod === undefined) throw new Error('the pod was deleted before it began');
    if (isRunning(pod)) return pod;
    if (hasEnded(pod) || isHopeless(pod)) throw new Error(`the pod did not begin: ${wordsOf(pod)}`);
    if (performance.now() > deadlineMs)
      throw new Error(`the pod did not begin within ${startTimeoutMs} ms: ${wordsOf(pod)}`);
    await delay(pauseMs);
  }
}

const stateTries = 50;
const statePauseMs = 200;

/** The state of a pod arrives at the API some time after the connection to it broke. */
async function lastState(cluster: Cluster, name: string): Promise<Pod | undefined> {
  let pod: Pod | undefined;
  for (let tried = 0; tried < stateTries; tried++) {
    pod = await cluster.pod(name);
    if (pod === undefined || hasEnded(pod)) break;
    await delay(statePauseMs);
  }
  return pod;
}

function reasonOf(pod: Pod | undefined, { memoryBytes, homeBytes }: BoxLimits): string {
  if (pod === undefined) return 'the pod was deleted, with its files';
  if (!hasEnded(pod)) return 'the connection to the pod broke, and its files are lost';
  const { terminated } = pod.status?.containerStatuses?.[0]?.state ?? {};
  if (terminated?.reason === 'OOMKilled')
    return `the container used more than ${memoryBytes + homeBytes} bytes of memory: it ended, with its files`;
  return `the pod ended: ${wordsOf(pod)}`;
}
