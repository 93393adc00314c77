import type { InferenceReply } from '@sluice/inference';
import { beginUnheard, type ResponseState, servedBy } from '../dialects/responses/events.ts';
import type { Settlement } from '../dialects/responses/response-object.ts';
import { responseText } from '../dialects/responses/response-text.ts';
import { wholeMessage } from '../dialects/responses/whole-message.ts';
import { firstOutput, type Started } from '../turn/attempts.ts';
import type { Pipeline } from '../turn/deps.ts';
import { type Generation, nameOf } from '../turn/generation.ts';
import { meterOf } from '../turn/meter-of.ts';
import { relay, remembered } from '../turn/relay.ts';
import { settle } from '../turn/settle.ts';

/** The whole response as one JSON body. Throws the Fault of a generation that never began. */
export async function wholeReply(
  pipeline: Pipeline,
  generation: Generation,
): Promise<InferenceReply> {
  const started = await firstOutput(pipeline, generation);
  const opening = beginUnheard(generation.head, generation.itemId);
  const message = wholeMessage(servedBy(opening, started.planned.model.id), started.first);
  if (message) {
    const settlement = await settleMessage(pipeline, generation, started);
    const ended = remembered(pipeline, generation, { started, state: message, settlement });
    return replyOf(generation, message, ended);
  }
  const { state, settlement } = await relay(pipeline, generation, { started, opening, tell });
  return replyOf(generation, state, settlement);
}

/** Nothing more comes: all that was to be read is there. */
function settleMessage(
  pipeline: Pipeline,
  generation: Generation,
  started: Started,
): Promise<Settlement> {
  const { intent, planned, first } = started;
  const meter = meterOf(generation, started);
  for (const part of first) meter.add(part);
  generation.cancellation.end();
  return settle(pipeline, generation, { intent, planned, meter });
}

function replyOf(
  generation: Generation,
  state: ResponseState,
  settlement: Settlement,
): InferenceReply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...nameOf(generation) },
    body: Buffer.from(responseText(state, settlement)),
  };
}

function tell(): undefined {}
