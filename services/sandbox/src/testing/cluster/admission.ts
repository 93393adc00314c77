import type { PodManifest } from '../../engines/kubernetes/pod.ts';

/**
 * Returns the rules of the Pod Security Standard `restricted` that a pod breaks
 * (https://kubernetes.io/docs/concepts/security/pod-security-standards), and fields without which the API refuses it.
 */
export function problemsOfPod({ spec, metadata }: PodManifest): readonly string[] {
  const restrictedVolumes = [
    'configMap',
    'csi',
    'downwardAPI',
    'emptyDir',
    'ephemeral',
    'projected',
  ];
  const name = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
  const rules: Readonly<Record<string, boolean>> = {
    'a name of a DNS label': name.test(metadata.name),
    'a container': spec.containers.length === 1,
    'no namespace of the host': !spec.hostNetwork && !spec.hostPID && !spec.hostIPC,
    'seccomp RuntimeDefault': spec.securityContext.seccompProfile.type === 'RuntimeDefault',
    'volumes that are restricted ones': spec.volumes.every((volume) =>
      Object.keys(volume).some((key) => restrictedVolumes.includes(key)),
    ),
    'an integer deadline': Number.isInteger(spec.activeDeadlineSeconds),
    'name servers for dnsPolicy None': spec.dnsConfig.nameservers.length > 0,
    ...Object.fromEntries(
      spec.containers.flatMap(({ securityContext, resources }) => [
        ['no privileges', !securityContext.privileged],
        ['no escalation', !securityContext.allowPrivilegeEscalation],
        ['no root', securityContext.runAsNonRoot && spec.securityContext.runAsUser > 0],
        ['no capability', securityContext.capabilities.drop.includes('ALL')],
        ['limits for the quota', Object.values(resources.limits).every((limit) => limit !== '')],
      ]),
    ),
  };
  return Object.keys(rules).filter((rule) => rules[rule] !== true);
}
