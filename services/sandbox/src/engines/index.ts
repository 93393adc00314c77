import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createDial, parseAllowList } from '@sluice/egress';
import type { SandboxConfig } from '../config.ts';
import { createEgress, type Egress } from '../egress/egress.ts';
import type { Engine, FoundEngine } from '../engine/engine.ts';
import { type BoxLimits, defaultLimits } from '../engine/limits.ts';
import { locateProgram } from '../host/locate-program.ts';
import { findBubblewrap } from './bubblewrap/bubblewrap.ts';
import { findE2b } from './e2b/e2b.ts';
import { findGvisor } from './gvisor/gvisor.ts';
import { findKubernetes } from './kubernetes/kubernetes.ts';

/** The settings that engines are made with. */
export interface Surroundings {
  readonly config: SandboxConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits: BoxLimits;
  readonly egress: Egress;
  /** A private directory of this process alone. */
  readonly directory: string;
}

interface EngineRow {
  readonly name: SandboxConfig['SLUICE_SANDBOX_ENGINE'];
  /** `auto` takes the first of these that works. The others cost money or need settings. */
  readonly isAutomatic: boolean;
  readonly find: (surroundings: Surroundings) => Promise<FoundEngine>;
}

/** The engines, the strongest isolation first. */
const engines: readonly EngineRow[] = [
  {
    name: 'gvisor',
    isAutomatic: true,
    find: async ({ config, env, limits, egress, directory }) =>
      findGvisor({
        binary: await locateProgram(env, { name: 'runsc', folder: 'gvisor', named: config.RUNSC }),
        directory: join(directory, 'gvisor'),
        rootDirectory: config.SLUICE_SANDBOX_ROOT,
        limits,
        egress,
      }),
  },
  {
    name: 'bubblewrap',
    isAutomatic: true,
    find: async ({ config, env, limits, egress, directory }) =>
      findBubblewrap({
        binary: await locateProgram(env, {
          name: 'bwrap',
          folder: 'bubblewrap',
          named: config.BWRAP,
        }),
        directory: join(directory, 'bubblewrap'),
        rootDirectory: config.SLUICE_SANDBOX_ROOT,
        limits,
        egress,
      }),
  },
  {
    name: 'kubernetes',
    isAutomatic: false,
    find: ({ config, env, limits, egress }) =>
      findKubernetes({
        env,
        apiUrl: config.SLUICE_SANDBOX_KUBERNETES_API_URL,
        accountFolder: config.SLUICE_SANDBOX_KUBERNETES_ACCOUNT_DIR,
        namespace: config.SLUICE_SANDBOX_KUBERNETES_NAMESPACE,
        image: config.SLUICE_SANDBOX_KUBERNETES_IMAGE,
        runtimeClass: config.SLUICE_SANDBOX_KUBERNETES_RUNTIME_CLASS,
        egressAddress: config.SLUICE_SANDBOX_EGRESS_ADDRESS,
        lifetimeSeconds: config.SLUICE_SANDBOX_KUBERNETES_LIFETIME_SECONDS,
        startTimeoutMs: config.SLUICE_SANDBOX_KUBERNETES_START_TIMEOUT_MS,
        // Processors are those of a node, not of this machine.
        limits: { ...limits, cpus: config.SLUICE_SANDBOX_CPUS },
        egress,
      }),
  },
  {
    name: 'e2b',
    isAutomatic: false,
    find: ({ config, limits }) =>
      findE2b({
        apiKey: config.E2B_API_KEY,
        apiUrl: config.E2B_API_URL,
        sandboxUrl: config.E2B_SANDBOX_URL,
        domain: config.E2B_DOMAIN,
        template: config.SLUICE_SANDBOX_E2B_TEMPLATE,
        limits: { ...limits, cpus: config.SLUICE_SANDBOX_CPUS },
      }),
  },
];

const mebibyte = 1_048_576;

/** Returns the engine that the settings name, or the first that works here. */
export async function findEngine(
  config: SandboxConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundEngine> {
  const wanted = config.SLUICE_SANDBOX_ENGINE;
  if (wanted === 'none') return { missing: 'SLUICE_SANDBOX_ENGINE is none' };
  const allowList = parseAllowList(config.SLUICE_SANDBOX_ALLOWED_ADDRESSES);
  const surroundings = {
    config,
    env,
    limits: limitsOf(config),
    egress: createEgress(createDial({ allowList })),
    directory: join(config.SLUICE_DATA_DIR, 'sandbox'),
  };
  const reasons: string[] = [];
  for (const { name, isAutomatic, find } of engines) {
    if (wanted === 'auto' ? !isAutomatic : wanted !== name) continue;
    const found = await find(surroundings);
    if (!('missing' in found)) return chosen(found, reasons);
    reasons.push(`${name}: ${found.missing}`);
  }
  return { missing: reasons.join('; ') };
}

/** Returns an engine whose description says why a stronger one was not taken. */
function chosen(engine: Engine, reasons: readonly string[]): Engine {
  if (reasons.length === 0) return engine;
  const description = `${engine.description}; not ${reasons.join('; not ')}`;
  return { ...engine, description };
}

function limitsOf(config: SandboxConfig): BoxLimits {
  return {
    ...defaultLimits,
    memoryBytes: config.SLUICE_SANDBOX_MEMORY_MIB * mebibyte,
    homeBytes: config.SLUICE_SANDBOX_HOME_MIB * mebibyte,
    processesMax: config.SLUICE_SANDBOX_PROCESSES_MAX,
    cpus: Math.min(config.SLUICE_SANDBOX_CPUS, availableParallelism()),
  };
}
