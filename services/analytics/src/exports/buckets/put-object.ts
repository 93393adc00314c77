import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@sluice/clock-and-ids';
import { type Egress, type EgressFailureReason, isEgressFailure } from '@sluice/egress';
import { Fault } from '@sluice/errors';
import { type S3Object, signS3Object } from '@sluice/file-store';
import { ExportFailed } from '../export-job.ts';
import type { OpenBucket } from './find-bucket.ts';

export interface PutSurroundings {
  readonly egress: Pick<Egress, 'send'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The pause behind the first failure. It doubles behind each further one. */
  readonly pauseMs?: number;
}

const pauseMsDefault = 500;
const attemptsMax = 5;
const requestMsMax = 60_000;
const answerBytesMax = 65_536;
/** Answers that the next attempt may change. Settings of a destination are not corrected within seconds. */
const passing = new Set([408, 409, 425, 429]);
const passingReasons: ReadonlySet<EgressFailureReason> = new Set([
  'unknown_host',
  'unreachable',
  'late',
  'malformed',
  'too_large',
]);

/**
 * Puts an object into a bucket, and sends the same object again after a failure that may pass. Throws ExportFailed if
 * the bucket refuses, and a fault if it stays away. No error message quotes the bucket's answer.
 */
export async function putObject(
  bucket: OpenBucket,
  object: S3Object & { readonly content: Uint8Array },
  { egress, clock, signal, pauseMs = pauseMsDefault }: PutSurroundings,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    // Signed again each time: a signature is valid for some minutes.
    const { url, headers } = await signS3Object(bucket, object, clock.now());
    const reply = await egress.send({
      url,
      method: 'PUT',
      headers: { ...bucket.headers, ...headers },
      body: object.content,
      redirectsMax: 0,
      bytesMax: answerBytesMax,
      timeoutMs: requestMsMax,
      signal,
    });
    signal.throwIfAborted();
    if (!isEgressFailure(reply) && reply.status >= 200 && reply.status < 300) return;
    const problem = isEgressFailure(reply)
      ? `The bucket cannot be reached: ${reply.message}`
      : `The bucket answered with the status ${reply.status}`;
    const mayPass = isEgressFailure(reply)
      ? passingReasons.has(reply.reason)
      : reply.status >= 500 || passing.has(reply.status);
    if (!mayPass) throw new ExportFailed(problem);
    if (attempt >= attemptsMax) throw new Fault('unavailable', { message: problem });
    await delay(pauseMs * 2 ** (attempt - 1), undefined, { signal });
  }
}
