import { Fault, invalidValue } from '@sluice/errors';
import type { UploadFileRequest } from '@sluice/protos/sluice/workspace/v1/file';

/** The bytes of one message. */
export const partBytesMax = 1_048_576;
/** The time between two messages. */
const idleMsMax = 60_000;

/** An upload as it comes: its first message, and the content of all. */
export interface Arriving {
  readonly first: UploadFileRequest;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Reads the first message. The content throws unavailable when the stream breaks off or rests for a minute. */
export async function arriving(
  messages: AsyncIterable<UploadFileRequest>,
  idleMs: number = idleMsMax,
): Promise<Arriving> {
  const iterator = messages[Symbol.asyncIterator]();
  const next = () => within(iterator.next(), idleMs);
  const begun = await next();
  if (begun.done) throw brokenOff();
  const first = begun.value;
  return {
    first,
    content: (async function* () {
      try {
        for (let message = first; ;) {
          if (message.content.length > partBytesMax)
            throw invalidValue('content', `must be at most ${partBytesMax} bytes`);
          if (message.content.length > 0) yield message.content;
          if (message.isLast) return;
          const following = await next();
          if (following.done) throw brokenOff();
          message = following.value;
        }
      } finally {
        // It may wait for a message that never comes.
        void iterator.return?.()?.catch(() => undefined);
      }
    })(),
  };
}

const brokenOff = () => new Fault('unavailable', { message: 'The upload broke off' });

async function within<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(brokenOff()), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    throw error instanceof Fault ? error : brokenOff();
  } finally {
    clearTimeout(timer);
  }
}
