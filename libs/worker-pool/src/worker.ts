import { threadId } from 'node:worker_threads';

/** The message to a thread of the pool. */
export interface Task {
  /** The URL of the module. Its export `work` does the job. */
  readonly module: string;
  readonly input: unknown;
  /** The thread that runs the task, and the processor time that it had when it began: both for the deadline. */
  readonly marks: Float64Array;
}

type Work = (input: unknown) => unknown;

/** Runs a task in this thread. */
export async function work({ module, input, marks }: Task): Promise<unknown> {
  const { user, system } = process.threadCpuUsage();
  marks[1] = (user + system) / 1_000;
  marks[0] = threadId;
  const { work: workOf } = (await import(module)) as { readonly work: Work };
  return await workOf(input);
}
