import { type ClientDialectName, type InferenceReply, isStream } from '@sluice/inference-port';
import { checkedChunks } from '@sluice/testing/chat-stream';
import { checkedMessages } from '@sluice/testing/messages-stream';
import { checkedBody, type StreamExpectation } from '@sluice/testing/response-stream';

type Checker = (
  body: AsyncIterable<Uint8Array>,
  expectation: StreamExpectation,
) => AsyncIterable<Uint8Array>;

const checkers: Readonly<Partial<Record<ClientDialectName, Checker>>> = {
  responses: checkedBody,
  'chat-completions': checkedChunks,
  messages: checkedMessages,
};

/** Throws for the first rule that a stream breaks. */
export function checkedReply(
  dialect: ClientDialectName,
  reply: InferenceReply,
  expectation: StreamExpectation,
): InferenceReply {
  const { body, headers } = reply;
  const check = checkers[dialect];
  if (!isStream(body)) return reply;
  if (!check) return reply;
  const generationId = headers['x-generation-id'];
  return { ...reply, body: check(body, { ...expectation, generationId }) };
}
