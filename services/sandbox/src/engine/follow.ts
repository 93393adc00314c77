import type { Readable } from 'node:stream';
import { collectOutput } from './collect-output.ts';
import type { Command, Ran } from './engine.ts';
import { drainedBytesMax } from './limits.ts';

/** A program that runs in a box. */
export interface Execution {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves once it and everything that it started has ended. `overLimit` says which limit ended it. */
  readonly ended: Promise<{ readonly exitCode: number; readonly overLimit?: string | undefined }>;
  /** Ends it with everything that it started. It does nothing once it has ended. */
  kill(): void;
}

/** After the end of a command its outputs are read for so long: the kernel ends what it left behind. */
const closingMs = 5_000;
const timedOut = 'timed_out';

/** Starts a program and holds it to the bounds of its command: its time, its outputs, and its caller. */
export async function follow(
  start: (end: (reason: string) => void) => Execution,
  command: Command,
): Promise<Ran> {
  const startedMs = performance.now();
  let reason: string | undefined;
  const end = (why: string) => {
    reason ??= why;
    execution.kill();
  };
  const execution = start(end);
  const streams = [execution.stdout, execution.stderr] as const;
  const [stdout, stderr] = [collected(streams[0]), collected(streams[1])];
  const closed = Promise.all(streams.map(closeOf));
  const timer = setTimeout(() => end(timedOut), command.timeoutMs);
  const onAbort = () => end('its caller left');
  command.signal?.addEventListener('abort', onAbort);
  if (command.signal?.aborted) onAbort();
  try {
    const { exitCode, overLimit } = await execution.ended;
    await within(closed, closingMs);
    return {
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      isCut: stdout.isCut() || stderr.isCut(),
      outcome: outcomeOf(reason ?? overLimit, exitCode),
      durationMs: performance.now() - startedMs,
    };
  } finally {
    clearTimeout(timer);
    command.signal?.removeEventListener('abort', onAbort);
    execution.kill();
  }

  function collected(stream: Readable) {
    return collectOutput(stream, {
      keptMax: command.outputBytesMax,
      drainedMax: drainedBytesMax,
      onFlood: () => end(`it wrote more than ${drainedBytesMax} bytes`),
    });
  }
}

function outcomeOf(ended: string | undefined, exitCode: number): Ran['outcome'] {
  if (ended === undefined) return { type: 'exited', exitCode };
  return ended === timedOut ? { type: 'timed_out' } : { type: 'killed', reason: ended };
}

function closeOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', () => resolve());
  });
}

/** Waits for the work, but not longer than the time. Returns whether it has ended. */
export async function within(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const inTime = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}

const sweepAgainMs = 250;

/**
 * Sweeps until a program has ended: one that is just being started may begin after the first sweep. Returns false when
 * that takes too long, or a sweep fails.
 */
export async function sweepUntil(
  ended: Promise<unknown>,
  sweep: () => Promise<unknown>,
  timeoutMs: number,
): Promise<boolean> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const leftMs = deadlineMs - performance.now();
    if (leftMs <= 0) return false;
    let failed = false;
    const swept = sweep().catch(() => {
      failed = true;
    });
    if (!(await within(swept, leftMs)) || failed) return false;
    const isEnded = await within(
      ended.catch(() => undefined),
      sweepAgainMs,
    );
    if (isEnded) return true;
  }
}
