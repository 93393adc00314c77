import type { InferenceReply } from '@sluice/inference';
import { beginUnheard, finalResponse } from '../responses/events.ts';
import { firstOutput } from './attempts.ts';
import type { Pipeline } from './deps.ts';
import { type Generation, nameOf } from './generation.ts';
import { relay } from './relay.ts';

/** The whole response as one JSON body. Throws the Fault of a generation that never began. */
export async function wholeReply(
  pipeline: Pipeline,
  generation: Generation,
): Promise<InferenceReply> {
  const started = await firstOutput(pipeline, generation);
  const opening = beginUnheard(generation.head, generation.itemId);
  const { state, settlement } = await relay(pipeline, generation, { started, opening, tell });
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', ...nameOf(generation) },
    body: Buffer.from(JSON.stringify(finalResponse(state, settlement))),
  };
}

function tell(): undefined {}
