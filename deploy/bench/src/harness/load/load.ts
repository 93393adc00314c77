import { join } from 'node:path';
import { startCommanded } from '../commanded-process.ts';
import type { ClosedLoop } from './closed-loop.ts';
import type { OpenLoop } from './open-loop.ts';
import type { LoadResult } from './tally.ts';

export interface LoadCommand extends Omit<ClosedLoop, 'request'> {
  /** A whole HTTP request, head and body. */
  readonly request: string;
  /** Present: an open loop. */
  readonly requestsPerSecond?: number;
}

/** A process that sends requests and checks each answer. */
export interface Load {
  readonly pid: number;
  closedLoop(loop: ClosedLoop): Promise<LoadResult>;
  openLoop(loop: OpenLoop): Promise<LoadResult>;
  stop(): Promise<void>;
}

export async function startLoad(): Promise<Load> {
  const program = join(import.meta.dirname, 'main.ts');
  const running = await startCommanded<LoadCommand, LoadResult>('the load', program);
  const run = (loop: ClosedLoop) =>
    running.ask({ ...loop, request: loop.request.toString() } satisfies LoadCommand);
  return {
    pid: running.pid,
    closedLoop: run,
    openLoop: run,
    stop: () => running.stop(),
  };
}
