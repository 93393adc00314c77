import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Instance, startInstance } from '@sluice/acceptance/instance';
import { readReceipts } from '@sluice/chaos/books';
import type { Receipt } from '@sluice/chaos/reconcile';
import { startSimulator, type Script } from '@sluice/simulator';
import { type Outside, startOutside } from './outside.ts';
import { startRecorder } from './recorder.ts';

/** A running Sluice whose only provider plays a script, and a world that nobody reaches. */
export interface Stage {
  readonly instance: Instance;
  readonly outside: Outside;
  /** Agents find it here; without a path. */
  readonly rootUrl: string;
  readonly folder: string;
  /** Aborted when the trials are to end. */
  readonly signal: AbortSignal;
  /** Plays the model by another script from here on. */
  play(script: Script): void;
  receipts(): Promise<readonly Receipt[]>;
  stop(): Promise<void>;
}

const environment = {
  SLUICE_SIMULATOR: 'on',
  SLUICE_INFERENCE_REQUESTS_PER_MINUTE: '1000000',
};

/** Writes the exchanges with agents into `recordings` when it is named. */
export async function startStage(signal: AbortSignal, recordings?: string): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-agents-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of stops.toReversed()) await end();
  };
  try {
    const receiptsFile = join(folder, 'receipts.jsonl');
    let script: Script = () => undefined;
    const simulator = await startSimulator({
      host: '127.0.0.1',
      port: 0,
      receiptsFile,
      script: (prompt) => script(prompt),
    });
    stops.push(() => simulator.stop());
    const url = { SLUICE_SIMULATOR_URL: simulator.url };
    const instance = await startInstance({ ...environment, ...url });
    stops.push(() => instance.dispose());
    const outside = await startOutside();
    stops.push(() => outside.stop());
    let rootUrl = new URL(instance.bootstrap.base_url).origin;
    if (recordings !== undefined) {
      const recorder = await startRecorder(rootUrl, recordings);
      stops.push(() => recorder.stop());
      rootUrl = recorder.url;
    }
    return {
      instance,
      outside,
      rootUrl,
      folder,
      signal,
      play: (next) => {
        script = next;
      },
      receipts: () => readReceipts(receiptsFile),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
