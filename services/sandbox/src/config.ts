import { type Env, loadConfig, processSettings, rpcServerSettings } from '@sluice/boot';
import { Type } from 'typebox';

const engineNames = ['auto', 'gvisor', 'bubblewrap', 'kubernetes', 'e2b', 'none'] as const;

const dnsName = '^[a-z0-9][a-z0-9.-]{0,252}$';
const hostPort = '^[^\\s/]+:\\d{1,5}$';

const schema = Type.Object({
  ...processSettings,
  ...rpcServerSettings,
  SLUICE_DATA_DIR: Type.String({ default: '.data' }),
  SLUICE_SANDBOX_ENGINE: Type.Enum(engineNames, {
    type: 'string',
    default: 'auto',
    description: 'auto: the first that works here; none: no code of models runs',
  }),
  SLUICE_SANDBOX_ROOT: Type.String({
    default: '/',
    pattern: '^/[^\\s]*$',
    description:
      'The directory of the system that commands see, read-only: its usr and a part of its etc',
  }),
  SLUICE_SANDBOX_MEMORY_MIB: Type.Integer({ default: 512, minimum: 64, maximum: 65_536 }),
  SLUICE_SANDBOX_HOME_MIB: Type.Integer({
    default: 256,
    minimum: 1,
    maximum: 65_536,
    description: 'The home of a container, which lies in memory',
  }),
  SLUICE_SANDBOX_PROCESSES_MAX: Type.Integer({ default: 64, minimum: 8, maximum: 4_096 }),
  SLUICE_SANDBOX_CPUS: Type.Number({ default: 1, minimum: 0.1, maximum: 64 }),
  SLUICE_SANDBOX_CONTAINERS_MAX: Type.Integer({ default: 32, minimum: 1, maximum: 500 }),
  SLUICE_SANDBOX_ACCOUNT_CONTAINERS_MAX: Type.Integer({ default: 8, minimum: 1, maximum: 500 }),
  SLUICE_SANDBOX_RUNNING_MAX: Type.Integer({ default: 8, minimum: 1, maximum: 500 }),
  SLUICE_SANDBOX_TIMEOUT_MS: Type.Integer({ default: 60_000, minimum: 100, maximum: 600_000 }),
  SLUICE_SANDBOX_ALLOWED_ADDRESSES: Type.String({
    default: '',
    maxLength: 8_192,
    description: 'Addresses that commands may reach besides public ones, by commas',
  }),
  SLUICE_SANDBOX_EGRESS_ADDRESS: Type.Optional(
    Type.String({
      pattern: hostPort,
      description: 'host:port at which pods reach the egress proxy of this process',
    }),
  ),
  SLUICE_SANDBOX_KUBERNETES_IMAGE: Type.Optional(
    Type.String({ maxLength: 512, description: 'The image of pods: bash, coreutils, findutils' }),
  ),
  SLUICE_SANDBOX_KUBERNETES_RUNTIME_CLASS: Type.Optional(
    Type.String({ pattern: dnsName, description: 'The runtime class of pods: gVisor or Kata' }),
  ),
  SLUICE_SANDBOX_KUBERNETES_NAMESPACE: Type.Optional(
    Type.String({
      pattern: dnsName,
      description: 'The namespace of pods. All boxes in it are those of this service',
    }),
  ),
  SLUICE_SANDBOX_KUBERNETES_API_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s]+$',
      description: 'The address of the API, where it is not that of the pod which this runs in',
    }),
  ),
  SLUICE_SANDBOX_KUBERNETES_ACCOUNT_DIR: Type.String({
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
    description: 'token, ca.crt and namespace of the service account',
  }),
  SLUICE_SANDBOX_KUBERNETES_LIFETIME_SECONDS: Type.Integer({
    default: 86_400,
    minimum: 600,
    maximum: 2_592_000,
    description: 'The longest life of a pod, also of a busy one',
  }),
  SLUICE_SANDBOX_KUBERNETES_START_TIMEOUT_MS: Type.Integer({
    default: 120_000,
    minimum: 1_000,
    maximum: 600_000,
    description: 'The time that a pod may take to begin, which includes its image',
  }),
  SLUICE_SANDBOX_E2B_TEMPLATE: Type.String({
    default: 'base',
    maxLength: 256,
    description: 'The template of E2B: its processors and memory have to be those of the settings',
  }),
  E2B_API_KEY: Type.Optional(Type.String({ maxLength: 512 })),
  E2B_API_URL: Type.Optional(Type.String({ description: 'The API of a server of your own' })),
  E2B_SANDBOX_URL: Type.Optional(Type.String({ description: 'Its machines' })),
  E2B_DOMAIN: Type.Optional(Type.String({ description: 'Its domain; e2b.app if absent' })),
  BWRAP: Type.Optional(Type.String({ description: 'The path of bwrap' })),
  RUNSC: Type.Optional(Type.String({ description: 'The path of runsc, which is gVisor' })),
});

export type SandboxConfig = ReturnType<typeof loadSandboxConfig>;

/** Throws InvalidConfig with all problems. */
export function loadSandboxConfig(env: Env) {
  return loadConfig(schema, env);
}
