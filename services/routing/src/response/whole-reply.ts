import assert from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference';
import { advanceResponse, beginUnheard, type ResponseState } from '../dialects/responses/events.ts';
import { responseText } from '../dialects/responses/response-text.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseRun } from './response-run.ts';
import { countAborted, runTurns } from './run-turns.ts';

/** Answers with one JSON body. Throws the Fault of a response that never began. */
export async function wholeReply(
  pipeline: Pipeline,
  response: ResponseRun,
): Promise<InferenceReply | Rejection> {
  let state: ResponseState | undefined;
  const ended = await runTurns(pipeline, response, {
    held() {},
    began({ model }) {
      state = beginUnheard({ ...response.head(), model: model.id }, response.itemId);
    },
    parts(parts) {
      for (const part of parts) if (state) [state] = advanceResponse(state, part);
      return undefined;
    },
  });
  if (isRejection(ended)) return ended;
  assert(state, 'invariant: a response has begun when it ends');
  countAborted(pipeline, response, state);
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...response.headers },
    body: Buffer.from(responseText(state, ended)),
  };
}
