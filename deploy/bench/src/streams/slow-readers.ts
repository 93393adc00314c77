import { join } from 'node:path';
import { startCommanded } from '../harness/commanded-process.ts';
import type { HistogramSlots } from '../harness/histogram.ts';

export interface ReadersCommand {
  readonly port: number;
  /** A whole HTTP request for a stream. */
  readonly request: string;
  readonly streams: number;
  /** All of them are begun within this time. */
  readonly beginningMs: number;
  /** From then on they are read for so long; then they are left. */
  readonly readingMs: number;
  /** A reader takes what there is, then nothing for so long. */
  readonly sipEveryMs: number;
}

export interface ReadersResult {
  /** Streams that were live at the end: begun with 200, not ended, not broken. */
  readonly live: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** From the request until its first bytes. */
  readonly firstBytes: HistogramSlots;
}

/** Many clients that read slowly, in a process of their own. */
export interface SlowReaders {
  readonly pid: number;
  read(command: ReadersCommand): Promise<ReadersResult>;
  stop(): Promise<void>;
}

export async function startSlowReaders(): Promise<SlowReaders> {
  const program = join(import.meta.dirname, 'readers', 'main.ts');
  const running = await startCommanded<ReadersCommand, ReadersResult>('the readers', program);
  return {
    pid: running.pid,
    read: (command) => running.ask(command),
    stop: () => running.stop(),
  };
}
