import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { loadSandboxConfig } from '../../config.ts';
import { defaultLimits } from '../../engine/limits.ts';
import { problemsOfPod } from '../../testing/cluster/admission.ts';
import { type Manifest, manifests, mayReach } from '../../testing/cluster/manifest.ts';
import { boxLabels, networkLabel, podManifest } from './pod.ts';

const one = (kind: string, name?: string) =>
  manifests.find(
    (manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
  ) as Manifest & { spec: never };

const podOf = (hasProxy: boolean) =>
  podManifest({
    image: 'boxes',
    runtimeClass: 'gvisor',
    limits: defaultLimits,
    hasProxy,
    lifetimeSeconds: 600,
  });

interface DeploymentSpec {
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly serviceAccountName: string;
      readonly containers: readonly {
        readonly env: readonly { readonly name: string; readonly value?: string }[];
      }[];
    };
  };
}

describe('the manifest of the engine for Kubernetes', () => {
  const deployment = one('Deployment').spec as DeploymentSpec;
  const env = Object.fromEntries(
    (deployment.template.spec.containers[0]?.env ?? []).map(({ name, value = 'x' }) => [
      name,
      value,
    ]),
  );

  test('sets the settings that the engine requires', () => {
    const config = loadSandboxConfig({ ...env, SLUICE_RPC_TOKEN: 'a-token-of-at-least-16-bytes' });
    equal(config.SLUICE_SANDBOX_ENGINE, 'kubernetes');
    equal(config.SLUICE_SANDBOX_KUBERNETES_NAMESPACE, one('Role').metadata.namespace);
    ok(config.SLUICE_SANDBOX_KUBERNETES_IMAGE && config.SLUICE_SANDBOX_KUBERNETES_RUNTIME_CLASS);
    equal(config.SLUICE_SANDBOX_EGRESS_ADDRESS, '$(POD_IP):3128');
    const known = Object.keys(config);
    deepEqual(
      Object.keys(env).filter((name) => name !== 'POD_IP' && !known.includes(name)),
      [],
    );
  });

  test('gives its rights to the account of the service', () => {
    const { serviceAccountName } = deployment.template.spec;
    equal(serviceAccountName, one('ServiceAccount').metadata.name);
    const binding = one('RoleBinding') as unknown as {
      subjects: readonly { name: string }[];
      roleRef: { name: string };
    };
    deepEqual(
      [binding.subjects[0]?.name, binding.roleRef.name],
      [serviceAccountName, one('Role').metadata.name],
    );
  });

  test('lets pods with an allowlist reach the proxy of the service, and nothing else', () => {
    const [without, withList] = [podOf(false), podOf(true)].map(({ metadata }) => metadata.labels);
    ok(without && withList);
    deepEqual([mayReach(without, 3128), mayReach(withList, 3128)], [false, true]);
    for (const port of [80, 443, 7000, 9464]) equal(mayReach(withList, port), false);
    // A pod that has lost its labels reaches nothing, either.
    equal(mayReach({}, 3128), false);
    equal(deployment.template.metadata.labels['app.kubernetes.io/component'], 'sandbox');
    ok(
      JSON.stringify(one('NetworkPolicy', 'sluice-sandbox')).includes(
        `"${networkLabel}":"allowlist"`,
      ),
    );
    equal(boxLabels['app.kubernetes.io/component'], 'sandbox-box');
  });

  test('has room for the boxes of the default settings', () => {
    const { hard } = one('ResourceQuota').spec as { hard: Readonly<Record<string, string>> };
    const limits = podOf(true).spec.containers[0]?.resources.limits;
    const count = 32;
    ok(
      count * Number(limits?.memory) <= Number(hard['limits.memory']?.replace('Gi', '')) * 2 ** 30,
    );
    ok(count <= Number(hard['pods']) && count <= Number(hard['limits.cpu']));
  });
});

test('a pod keeps the rules of the namespace, and has another user each time', () => {
  deepEqual(problemsOfPod(podOf(true)), []);
  const broken = podOf(true);
  broken.spec.containers[0]?.securityContext.capabilities.drop.pop();
  deepEqual(problemsOfPod(broken), ['no capability']);
  const users = new Set(
    Array.from({ length: 20 }, () => podOf(false).spec.securityContext.runAsUser),
  );
  ok(users.size > 15);
});
