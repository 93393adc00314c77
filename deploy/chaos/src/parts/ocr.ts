import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@sluice/simulator';

/** An engine that reads files, with books of its own. It stays up. */
export interface Ocr extends AsyncDisposable {
  /** The settings with which an installation calls it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly receiptsFile: string;
}

/** Starts a simulator that plays the OCR of Mistral. */
export async function startOcr(): Promise<Ocr> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-ocr-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  const simulator = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  return {
    settings: {
      MISTRAL_API_KEY: 'a-key-of-mistral',
      MISTRAL_OCR_BASE_URL: new URL('/mistral', simulator.url).href,
      // The key of a provider would turn the simulated models off.
      SLUICE_SIMULATOR: 'on',
    },
    receiptsFile,
    async [Symbol.asyncDispose]() {
      await simulator.stop();
      await rm(folder, { recursive: true });
    },
  };
}
