import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { connectEventStore } from '@sluice/eventstore';
import { type Random, seededRandom } from '@sluice/testing/random';
import { audit, type Audited } from './audit/audit.ts';
import { openStoredReadModels } from './audit/stored-read-models.ts';
import type { Sent } from './command.ts';
import { gatewayOf } from './gateway.ts';
import { type Kill, killAtRandom } from './killing.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';
import { treasuryOf } from './treasury.ts';
import { startWitness } from './witness.ts';
import { startWorkload } from './workload.ts';

export interface CrashTestOptions {
  readonly kills: number;
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

export interface CrashTestResult extends Audited {
  /** True when there is no finding. */
  readonly ok: boolean;
  readonly seed: number;
  readonly durationSeconds: number;
  /** Part → how often it was killed. */
  readonly kills: Readonly<Record<string, number>>;
  /** Command → outcome → how many. */
  readonly commands: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Commands that were sent again until their outcome was known. */
  readonly repeated: number;
}

/** The event store node, the processes that run the projectors, and PostgreSQL with the read models. */
const parts = ['eventstore', 'eventstore', 'key', 'account', 'postgres', 'postgres'] as const;
const workers = 12;
/** The test asks for more than a person does. */
const environment = { SLUICE_KEY_REQUESTS_PER_MINUTE: '1000000' };

/**
 * Runs commands against services in processes of their own, kills some of these meanwhile, then
 * holds the answers against the log and the log against the read models. Everything that was
 * started has ended when it resolves; the data directory is kept when something does not hold.
 */
export async function crashTest(options: CrashTestOptions): Promise<CrashTestResult> {
  const { seed, onProgress } = options;
  const startedMs = performance.now();
  onProgress(`seed ${seed}: the services start`);
  const instance = await startInstance(environment, 'processes');
  let ok = false;
  try {
    const result = await run(options, instance);
    ok = result.findings.length === 0;
    const durationSeconds = Math.round((performance.now() - startedMs) / 1000);
    return { ok, seed, durationSeconds, ...result };
  } finally {
    if (ok) await instance.dispose();
    else {
      await instance.stop();
      onProgress(`the data directory is kept: ${instance.dataDirectory}`);
    }
  }
}

type Run = Omit<CrashTestResult, 'ok' | 'seed' | 'durationSeconds'>;

async function run(options: CrashTestOptions, instance: Instance): Promise<Run> {
  const surroundings = await surroundingsOf(instance);
  const random = seededRandom(options.seed);
  const store = await connectEventStore({ url: surroundings.eventStoreUrl });
  const stored = openStoredReadModels(surroundings.postgresUrl);
  const witness = startWitness(store);
  try {
    const { killed, sent } = await killWhileWorking(options, { instance, surroundings, random });
    options.onProgress('the log and the read models are read');
    return { ...counted(killed, sent), ...(await audit({ store, stored, witness, sent })) };
  } finally {
    await Promise.allSettled([witness.stop(), store.stop(), stored.stop()]);
  }
}

interface Scene {
  readonly instance: Instance;
  readonly surroundings: Surroundings;
  readonly random: Random;
}

async function killWhileWorking(
  { kills, onProgress }: CrashTestOptions,
  { instance, surroundings, random }: Scene,
): Promise<{ readonly killed: readonly Kill[]; readonly sent: readonly Sent[] }> {
  const { pidFileOf } = surroundings;
  const gateway = gatewayOf(instance);
  const treasury = treasuryOf(surroundings, instance.bootstrap.organization_id);
  try {
    const workload = await startWorkload({ gateway, treasury, random: random.fork(), workers });
    const acknowledged = () => workload.acknowledged();
    const onKill = ({ number, part, pid }: Kill) =>
      onProgress(`kill ${number} of ${kills}: ${part} (${pid}), ${acknowledged()} acknowledged`);
    try {
      const killing = { parts, kills, pidFileOf, acknowledged, onKill, random: random.fork() };
      return { killed: await killAtRandom(killing), sent: workload.sent };
    } finally {
      await workload.stop();
    }
  } finally {
    treasury.close();
  }
}

function counted(killed: readonly Kill[], sent: readonly Sent[]) {
  const commands: Record<string, Record<string, number>> = {};
  for (const { command, outcome } of sent) {
    const outcomes = (commands[command.type] ??= {});
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  const kills: Record<string, number> = {};
  for (const { part } of killed) kills[part] = (kills[part] ?? 0) + 1;
  return { kills, commands, repeated: sent.filter(({ attempts }) => attempts > 1).length };
}
