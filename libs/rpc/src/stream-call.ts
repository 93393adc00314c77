import { once } from 'node:events';
import type { Client, Metadata, ServiceError } from '@grpc/grpc-js';
import type { RpcDefinition } from './definition.ts';
import { statusToFault } from './status.ts';

/** A stream lasts as long as its sender wants, up to this. The handler bounds the time between two messages. */
const streamMsMax = 3_600_000;

interface StreamCall {
  readonly metadata: Metadata;
  readonly messages: unknown;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends messages as fast as the other side takes them, and returns its answer. Stops reading them when the answer comes
 * early. Throws the error of the messages, after which the stream ends without its last message.
 */
export async function callWithStream(
  client: Client,
  { path, requestSerialize, responseDeserialize }: RpcDefinition[string],
  { metadata, messages, signal }: StreamCall,
): Promise<unknown> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
  const call = client.makeClientStreamRequest(
    path,
    requestSerialize as (value: unknown) => Buffer,
    responseDeserialize,
    metadata,
    { deadline: Date.now() + streamMsMax },
    (error: ServiceError | null, response?: unknown) => {
      if (error) reject(statusToFault(error));
      else resolve(response);
    },
  );
  // The answer says why the stream failed.
  call.on('error', () => undefined);
  let isAnswered = false;
  const answered = answer.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  const cancel = () => call.cancel();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for await (const message of messages as AsyncIterable<unknown>) {
      if (isAnswered) break;
      if (!call.write(message)) await Promise.race([once(call, 'drain'), answered]);
    }
    call.end();
    return await answer;
  } catch (error) {
    cancel();
    await answered;
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
