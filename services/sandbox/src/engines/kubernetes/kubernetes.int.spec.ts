import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@sluice/patience';
import { afterAll, afterEach, beforeAll, beforeEach, describe, test } from 'vitest';
import type { Box, Command, Engine } from '../../engine/engine.ts';
import {
  type ClusterDouble,
  type ClusterFaults,
  startCluster,
} from '../../testing/cluster/cluster-double.ts';
import { kubernetesOptions, podsHere } from '../../testing/engines-here.ts';
import { findKubernetes } from './kubernetes.ts';

const disabled = { type: 'disabled' } as const;
const pods = await podsHere();
const reason = 'missing' in pods ? ` (not here: ${pods.missing})` : '';
const bwrap = 'missing' in pods ? '' : pods.bwrap;

const command = (script: string, rest: Partial<Command> = {}): Command => ({
  argv: ['/bin/bash', '-c', script],
  timeoutMs: 60_000,
  outputBytesMax: 100_000,
  ...rest,
});

/** Returns the reason why a cluster with faults is not used. */
async function reasonWith(
  faults: ClusterFaults,
  change: (cluster: ClusterDouble) => Promise<void> | void = () => undefined,
  startTimeoutMs = 60_000,
): Promise<string> {
  const cluster = await startCluster(bwrap, faults);
  try {
    const options = await kubernetesOptions(cluster);
    await change(cluster);
    const found = await findKubernetes({ ...options, startTimeoutMs });
    if ('missing' in found) return found.missing;
    await found.stop();
    return 'it works';
  } finally {
    await cluster.close();
  }
}

describe.skipIf(reason !== '')(`a cluster${reason}`, () => {
  describe('is not used', () => {
    test('when its network ignores policies', async () => {
      match(await reasonWith({ ignoresPolicies: true }), /a pod without a network reached 127\.0/);
    });

    test('when a home has no size', async () => {
      match(await reasonWith({ ignoresSizes: true }), /wrote more than 16777216 bytes to its home/);
    });

    test('when pods do not begin', async () => {
      const waiting = { reason: 'ErrImagePull', message: 'boxes: not found' };
      match(await reasonWith({ waiting }), /the pod did not begin: ErrImagePull: boxes: not found/);
      const unknown = { reason: 'ContainerCreating', message: '' };
      const answer = await reasonWith({ waiting: unknown }, () => undefined, 5_000);
      match(answer, /within 5000 ms: ContainerCreating/);
    });

    test('when it refuses the service account', async () => {
      const revoke = (cluster: ClusterDouble) => void (cluster.token = 'another one');
      match(await reasonWith({}, revoke), /Kubernetes answered 401 to DELETE: Unauthorized$/);
    });

    test('when it is not there, or the settings are not', async () => {
      const cluster = await startCluster(bwrap);
      const options = await kubernetesOptions(cluster);
      await cluster.close();
      const missing = async (change: object) => {
        const found = await findKubernetes({ ...options, ...change });
        return 'missing' in found ? found.missing : '';
      };
      match(await missing({ accountFolder: '/nowhere' }), /service account .* cannot be read/);
      match(await missing({ apiUrl: undefined }), /KUBERNETES_SERVICE_HOST is not set/);
      match(await missing({ image: undefined }), /KUBERNETES_IMAGE is not set/);
      match(await missing({ runtimeClass: undefined }), /RUNTIME_CLASS is not set/);
      match(await missing({ egressAddress: undefined }), /EGRESS_ADDRESS is no host:port/);
    });
  });

  test('that speaks only the older protocol of exec is used', async () => {
    equal(await reasonWith({ protocol: 'v4.channel.k8s.io' }), 'it works');
  });

  describe('holds boxes', () => {
    let cluster: ClusterDouble;
    let engine: Engine;
    let box: Box;

    beforeAll(async () => {
      cluster = await startCluster(bwrap);
      engine = (await findKubernetes(await kubernetesOptions(cluster))) as Engine;
    });
    beforeEach(async () => {
      box = await engine.open({ id: 'one', network: disabled });
    });
    afterEach(() => box.close());
    afterAll(async () => {
      await engine.stop();
      await cluster.close();
    });

    test('whose commands, inputs and outputs are any bytes', async () => {
      const input = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
      const { stdout } = await box.run(command('cat; exit 3', { input }));
      ok(stdout.equals(input.subarray(0, stdout.length)) && stdout.length === input.length);
      const long = `: ${'x'.repeat(120_000)}; printf '%s' "it's \\"quoted\\"" 'two
lines'`;
      equal((await box.run(command(long))).stdout.toString(), `it's "quoted"two\nlines`);
      // Clusters keep addresses in their logs: words of models are no part of them.
      equal(
        cluster.calls.find((call) => call.includes('quoted')),
        undefined,
      );
    });

    test('that end with the process which holds them', async () => {
      equal(cluster.podNames().length, 1);
      cluster.disconnect();
      match(await box.lost, /^the pod ended: /);
      await until(() => cluster.podNames().length === 0);
      await rejects(box.run(command('true')), { code: 'unavailable' });
    });

    test('that say why they were lost', async () => {
      await cluster.evict();
      match(await box.lost, /^the pod ended: Evicted/);
      const hungry = await engine.open({ id: 'two', network: disabled });
      const grow = `perl -e 'my @all; push @all, "x" x 1048576 for 1..100000'`;
      // The kernel may end them one by one before the node looks: the command itself does not end.
      const ran = await hungry.run(command(`for i in 1 2 3 4; do ${grow} & done; wait; sleep 600`));
      const words = /^the container used more than \d+ bytes of memory: it ended, with its files$/;
      match(ran.outcome.type === 'killed' ? ran.outcome.reason : '', words);
      match(await hungry.lost, words);
    });

    test('that an earlier process left behind are ended at the start', async () => {
      const left = cluster.podNames();
      const second = (await findKubernetes(await kubernetesOptions(cluster))) as Engine;
      deepEqual(
        cluster.podNames().filter((name) => left.includes(name)),
        [],
      );
      match(await box.lost, /^the pod was deleted/);
      await second.stop();
    });

    test('with a token that is renewed while they run', async () => {
      cluster.token = 'a renewed one';
      await rejects(engine.open({ id: 'two', network: disabled }), /answered 401/);
      await writeFile(join(cluster.accountFolder, 'token'), cluster.token);
      const later = await engine.open({ id: 'three', network: disabled });
      equal((await later.run(command('echo on'))).stdout.toString(), 'on\n');
      await later.close();
    });

    test('of users of their own, and no other pod than its own', async () => {
      const other = await engine.open({ id: 'two', network: disabled });
      const user = async (one: Box) => (await one.run(command('id -u'))).stdout.toString();
      ok((await user(box)) !== (await user(other)));
      await other.close();
      equal(cluster.podNames().length, 1);
    });
  });
});
