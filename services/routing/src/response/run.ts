import type { Rejection } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference-port';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';
import { streamReply } from './stream-reply.ts';
import { wholeReply } from './whole-reply.ts';

/**
 * Answers a request whose endpoints are chosen. Returns a Rejection if its worst case cannot be held. Throws a Fault if
 * no endpoint gives output before the status has to be sent.
 */
export function runResponse(
  pipeline: Pipeline,
  response: ResponseRun,
): Promise<InferenceReply | Rejection> {
  return response.planned.request.inference.stream
    ? streamReply(pipeline, response)
    : pipeline.running.track(wholeReply(pipeline, response));
}
