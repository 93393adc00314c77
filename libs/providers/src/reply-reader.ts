import { Fault } from '@sluice/errors';
import { inputCount, type InferenceRequest, type StreamPart } from '@sluice/inference';
import { answerChecks } from './answer-checks.ts';
import type { Endpoint } from './endpoint.ts';
import { failureReader } from './failure-reader.ts';
import { parseJson } from './json-reader.ts';
import { changedReader, type ChangeParts } from './tools/restore-calls.ts';
import { eventReader, WholeReader } from './transport/body-reader.ts';
import type { Headers, ReplyReader } from './transport/conversation.ts';
import { headerOf, isEventStream } from './transport/headers.ts';
import type { Translator } from './translation.ts';
import { withoutMalformed } from './upstream-error.ts';

/** The call whose reply is read. */
interface Called {
  readonly endpoint: Endpoint;
  readonly translator: Translator;
  readonly request: InferenceRequest;
  readonly restore: ChangeParts | undefined;
  readonly limits: { readonly onStray?: (() => void) | undefined };
}

/** 2,048 vectors of 3,072 numbers in base64 are half of it. */
const vectorsBytesMax = 64 * 1024 * 1024;

/** Chooses how a reply is read. Redirects are not followed. They are failures like any other status. */
export function replyReader(called: Called, status: number, headers: Headers): ReplyReader {
  const encoding = headerOf(headers, 'content-encoding') ?? 'identity';
  const isReadable = encoding === 'identity' || encoding === '';
  if (status < 200 || status > 299) return failureReader(called, status, headers, isReadable);
  if (!isReadable) {
    throw new Fault('provider_unavailable', {
      message: 'The answer of the provider is malformed',
      cause: new Error(`content-encoding ${encoding}`),
    });
  }
  const { request, translator, restore } = called;
  const { embeddings, ranking } = translator;
  if (request.ranking && ranking) {
    const whole = (read: unknown) => ranking.whole(read, request);
    return { type: 'parts', body: new WholeReader({ whole }) };
  }
  if (request.embedding && embeddings) {
    const inputs = inputCount(request);
    const whole = (read: unknown) => embeddings.whole(read, inputs);
    return { type: 'parts', body: new WholeReader({ whole }, vectorsBytesMax) };
  }
  const check = answerChecks(request, translator);
  // Tools first: the text of a freeform tool need not be JSON.
  const checked = restore ? (parts: readonly StreamPart[]) => check(restore(parts)) : check;
  if (isEventStream(request, headers)) {
    const reader = changedReader(translator.stream(called.limits.onStray), checked);
    return { type: 'parts', body: eventReader(reader) };
  }
  const whole = (read: unknown) => withoutMalformed(checked(translator.whole(read)));
  const { parse = parseJson } = translator;
  const body = new WholeReader({ parse, whole });
  return { type: 'parts', body };
}
