import { createWorkerPool } from '@sluice/worker-pool';
import type { DocumentTask, Extracted } from './document-work.ts';

export interface DocumentRequest extends DocumentTask {
  /** The account that asks. Accounts take turns in the threads. */
  readonly account: string;
  readonly signal?: AbortSignal | undefined;
}

export type ReadDocument = Extract<Extracted, { readonly content: string }>;

/** The document cannot be read. */
export interface ReadFailure {
  /** `busy`: other documents keep the threads, and a later try may succeed. */
  readonly reason: 'busy' | 'unreadable';
  /** A sentence without an end mark. */
  readonly error: string;
}

/** Reads the text of documents in threads. */
export interface DocumentReader {
  /** The promise never rejects. */
  read(request: DocumentRequest): Promise<ReadDocument | ReadFailure>;
  stop(): Promise<void>;
}

export interface DocumentReaderOptions {
  /** Processor time of one document. 5 s if absent. */
  readonly readMs?: number | undefined;
}

const readDefaultMs = 5_000;
const memoryMbMax = 256;
const places = 2;
const module = new URL('document-work.ts', import.meta.url);

/** Creates a reader. Its threads start with the first document. */
export function createDocumentReader(options: DocumentReaderOptions = {}): DocumentReader {
  const { readMs: deadlineMs = readDefaultMs } = options;
  const pool = createWorkerPool({ deadlineMs, memoryMbMax, places, slowPlaces: 1 });
  return {
    async read({ account, signal, ...input }) {
      const outcome = await pool.run<Extracted>({ account, module, input, signal });
      if (typeof outcome === 'string') return failures[outcome];
      const { result } = outcome;
      return 'error' in result ? { reason: 'unreadable', error: result.error } : result;
    },
    stop: () => pool.stop(),
  };
}

const failures = {
  late: { reason: 'unreadable', error: 'The document takes too long to read' },
  busy: { reason: 'busy', error: 'Too many documents are being read. Try again later' },
  broken: { reason: 'unreadable', error: 'The document could not be read' },
} as const;
