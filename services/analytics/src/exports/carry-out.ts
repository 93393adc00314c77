import { setInterval } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import type { Egress } from '@sluice/egress';
import { Fault } from '@sluice/errors';
import type { Logger } from '@sluice/logging';
import type { FileCalls } from '@sluice/workspace-files';
import type { DestinationCalls } from './buckets/find-bucket.ts';
import { writeParts } from './buckets/write-parts.ts';
import { ExportFailed, type ExportJob, jobBounds } from './export-job.ts';
import type { ExportJobs, Leased } from './export-jobs.ts';
import type { ExportSource } from '../store/export-source.ts';
import { makeFile } from './make-file.ts';

export interface ExportWorker {
  readonly jobs: ExportJobs;
  readonly source: ExportSource;
  readonly files: Pick<FileCalls, 'uploadFile' | 'getFile'>;
  readonly destinations: DestinationCalls;
  /** The way to buckets. */
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  /** The pause behind the first failure of a bucket: see `putObject`. */
  readonly pauseMs?: number;
  readonly logger: Logger;
  /** Ends the work: the process stops. */
  readonly signal: AbortSignal;
}

const renewMs = 5_000;

/** Makes the file of a claimed job, or its parts in a bucket, and says in the end what has become of it. */
export async function carryOut(job: ExportJob, owner: string, worker: ExportWorker): Promise<void> {
  const { jobs, logger, signal: stopping } = worker;
  const leased: Leased = { exportId: job.exportId, owner };
  const attempt = job.attempts - job.excused;
  if (attempt > jobBounds.attempts)
    return await jobs.fail(leased, 'The service ended again and again while it made the file');
  const lost = new AbortController();
  const late = AbortSignal.timeout(jobBounds.minutes * 60_000);
  const signal = AbortSignal.any([stopping, lost.signal, late]);
  const done = new AbortController();
  const renewing = renew(leased, { jobs, lost, signal: done.signal });
  const onRows = async (rows: number, warnings: readonly string[]) => {
    if (!(await jobs.noteRows(leased, rows, warnings))) lost.abort();
    signal.throwIfAborted();
  };
  try {
    const parts = { ...worker, onRows, signal };
    const make = async () =>
      job.destinationId === null ? await makeFile(job, parts) : await writeParts(job, parts);
    const made = await unlessAborted(make(), signal);
    await jobs.complete(leased, made);
  } catch (error) {
    if (stopping.aborted) await jobs.release(leased, { counts: false });
    else if (late.aborted)
      await jobs.fail(leased, `It took more than ${jobBounds.minutes} minutes`);
    else if (!lost.signal.aborted) await settle(error, { job, leased, jobs, logger });
  } finally {
    done.abort();
    await renewing;
  }
}

/** Keeps the lease until the work is done, or another process has the job. */
async function renew(
  leased: Leased,
  parts: {
    readonly jobs: ExportJobs;
    readonly lost: AbortController;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { jobs, lost, signal } = parts;
  try {
    for await (const _ of setInterval(renewMs, undefined, { signal }))
      // PostgreSQL may be away for a moment. The lease is longer than some pauses.
      if ((await jobs.renew(leased).catch(() => undefined)) === false) return lost.abort();
  } catch {
    // The work is done.
  }
}

/** Rejects when the signal aborts, also while another service does not answer. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  work.catch(() => undefined);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Faults that say no for good. The message of such a fault is for its owner. */
const finalCodes: ReadonlySet<string> = new Set([
  'timeout',
  'conflict',
  'not_found',
  'invalid_request',
  'payload_too_large',
]);

async function settle(
  error: unknown,
  parts: {
    readonly job: ExportJob;
    readonly leased: Leased;
    readonly jobs: ExportJobs;
    readonly logger: Logger;
  },
): Promise<void> {
  const { job, leased, jobs, logger } = parts;
  const isFinal =
    error instanceof ExportFailed || (error instanceof Fault && finalCodes.has(error.code));
  if (isFinal) return await jobs.fail(leased, error.message);
  logger.warn('an export could not be made', { error });
  if (job.attempts - job.excused < jobBounds.attempts)
    return await jobs.release(leased, { counts: true });
  const message = error instanceof Fault ? error.message : 'The file could not be made';
  await jobs.fail(leased, message);
}
