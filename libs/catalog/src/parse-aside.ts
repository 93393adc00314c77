import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type CatalogFile, checkCatalogFile, InvalidCatalog } from './file.ts';

const parseTimeoutMs = 60_000;
const threadMemoryMbMax = 1_024;

/**
 * `parseCatalogFile` with a thread of its own for the YAML: of a large file that takes seconds, in which requests
 * must go on. Throws InvalidCatalog also where it takes more than a minute or too much memory.
 */
export async function parseAside(
  text: string,
  timeoutMs: number = parseTimeoutMs,
): Promise<CatalogFile> {
  const worker = new Worker(new URL('yaml-thread.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMbMax },
  });
  try {
    const [value] = await once(worker, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    return checkCatalogFile(value);
  } catch (error) {
    if (error instanceof InvalidCatalog) throw error;
    throw new InvalidCatalog([error instanceof Error ? error.message : 'it cannot be read']);
  } finally {
    await worker.terminate();
  }
}
