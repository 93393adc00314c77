import assert from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference-port';
import type { WholeWriter } from '../dialects/dialect.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';
import { countAborted, runTurns } from './run-turns.ts';

/** Answers with one JSON body. Throws the Fault of a response that never began. */
export async function wholeReply(
  pipeline: Pipeline,
  response: ResponseRun,
): Promise<InferenceReply | Rejection> {
  let writer: WholeWriter | undefined;
  const ended = await runTurns(pipeline, response, {
    opened() {
      writer = response.planned.writers.whole(response.head());
    },
    servedBy(model, provider) {
      writer?.servedBy(model, provider);
    },
    parts(parts) {
      writer?.write(parts);
      return undefined;
    },
  });
  if (isRejection(ended)) return ended;
  assert(writer, 'invariant: a response is opened before it ends');
  const body = writer.end(ended);
  countAborted(pipeline, response, writer);
  return {
    status: writer.httpStatus ?? 200,
    headers: { ...writer.headers, ...response.headers },
    body,
  };
}
