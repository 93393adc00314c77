import { startInstance } from '@sluice/acceptance/instance';
import { type Kill, killAtRandom } from '../crash/killing.ts';
import { seededRandom } from '@sluice/testing/random';
import { type Audited, environment, underAudit } from './audited.ts';

export interface UsageTestOptions {
  readonly kills: number;
  readonly requestsPerSecond: number;
  readonly seed: number;
  readonly onProgress: (line: string) => void;
}

export interface UsageTestResult extends Audited {
  readonly seed: number;
  readonly kills: number;
  /** Part → how often it was killed. */
  readonly killsOf: Readonly<Record<string, number>>;
  readonly durationSeconds: number;
}

const parts = [
  'gateway',
  'routing',
  'routing',
  'ledger',
  'nats',
  'postgres',
  'eventstore',
  'key',
  'account',
  'workspace',
  'guardrail',
] as const;

/**
 * Sends requests to services in processes of their own, kills some of these meanwhile, then holds our
 * books against those of the provider. Everything that was started has ended when it resolves; the
 * data directory is kept when something does not hold.
 */
export async function usageTest(options: UsageTestOptions): Promise<UsageTestResult> {
  const { kills, seed, onProgress, requestsPerSecond } = options;
  const startedMs = performance.now();
  onProgress(`seed ${seed}: the services start`);
  const instance = await startInstance(environment, 'processes');
  const random = seededRandom(seed);
  let isRight = false;
  try {
    const auditing = { instance, requestsPerSecond, random, onProgress };
    const { disturbed: killed, ...audited } = await underAudit(auditing, async (scene) => {
      const acknowledged = () => scene.counts.answered;
      const onKill = ({ number, part, pid }: Kill) =>
        onProgress(`kill ${number} of ${kills}: ${part} (${pid}), ${acknowledged()} answered`);
      const { pidFileOf } = scene.surroundings;
      return await killAtRandom({ parts, kills, pidFileOf, acknowledged, onKill, random });
    });
    isRight = audited.findings.length === 0;
    const killsOf: Record<string, number> = {};
    for (const { part } of killed) killsOf[part] = (killsOf[part] ?? 0) + 1;
    const durationSeconds = Math.round((performance.now() - startedMs) / 1_000);
    return { ...audited, seed, kills: killed.length, killsOf, durationSeconds };
  } finally {
    if (isRight) await instance.dispose();
    else {
      await instance.stop();
      onProgress(`the data directory is kept: ${instance.dataDirectory}`);
    }
  }
}
