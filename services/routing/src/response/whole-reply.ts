import assert from 'node:assert/strict';
import { isRejection, type Rejection } from '@sluice/errors';
import type { AnswerPart } from '@sluice/inference';
import type { InferenceReply } from '@sluice/inference-port';
import type { Settlement, WholeWriter } from '../dialects/dialect.ts';
import type { Pipeline } from './deps.ts';
import type { ResponseListener } from './response-listener.ts';
import type { ResponseRun } from './response-run.ts';
import { countAborted, runTurns } from './run-turns.ts';

/** Answers with one JSON body. Throws the Fault of a response that never began. */
export function wholeReply(
  pipeline: Pipeline,
  response: ResponseRun,
): Promise<InferenceReply | Rejection> {
  const answer = new WholeAnswer(response);
  return runTurns(pipeline, response, answer).then((ended) =>
    isRejection(ended) ? ended : answer.reply(pipeline, ended),
  );
}

/** An answer that is kept until it is whole. */
class WholeAnswer implements ResponseListener {
  readonly #response: ResponseRun;
  #writer: WholeWriter | undefined;

  constructor(response: ResponseRun) {
    this.#response = response;
  }

  opened(): void {
    this.#writer = this.#response.planned.writers.whole(this.#response.head());
  }

  servedBy(model: string, provider: string): void {
    this.#writer?.servedBy(model, provider);
  }

  parts(parts: readonly AnswerPart[]): undefined {
    this.#writer?.write(parts);
  }

  reply(pipeline: Pipeline, ended: Settlement): InferenceReply {
    const writer = this.#writer;
    assert(writer, 'invariant: a response is opened before it ends');
    const body = writer.end(ended);
    countAborted(pipeline, this.#response, writer);
    return {
      status: writer.httpStatus ?? 200,
      headers: { ...writer.headers, ...this.#response.headers },
      body,
    };
  }
}
