import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ExportFormat } from '@sluice/analytics-model';
import type { ExportRows } from '../../store/export-source.ts';
import type { Told } from './encode-thread.ts';

const memoryMbMax = 512;

/**
 * Encodes rows in a thread of its own, one page after the other. To write Parquet would keep the event loop for more
 * than 20 ms. Throws the error of the pages, or of the thread.
 */
export async function* encodeAside(
  { columns, pages }: Pick<ExportRows, 'columns' | 'pages'>,
  format: ExportFormat,
): AsyncGenerator<Uint8Array> {
  const told: Told = { format, columns };
  const worker = new Worker(new URL('encode-thread.ts', import.meta.url), {
    workerData: told,
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
  });
  const ended = new AbortController();
  const failed = once(worker, 'error', { signal: ended.signal }).then(([error]) => {
    throw error;
  });
  // It is awaited with each page.
  failed.catch(() => undefined);
  const encoded = async (message: unknown): Promise<Uint8Array> => {
    const answer = once(worker, 'message', { signal: ended.signal });
    answer.catch(() => undefined);
    worker.postMessage(message, []);
    const [bytes] = (await Promise.race([answer, failed])) as [Uint8Array];
    return bytes;
  };
  try {
    for await (const page of pages) {
      const bytes = await encoded(page);
      if (bytes.length > 0) yield bytes;
    }
    yield await encoded(null);
  } finally {
    ended.abort();
    await worker.terminate();
  }
}
