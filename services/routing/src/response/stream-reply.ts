import { isRejection, type Rejection } from '@sluice/errors';
import type { InferenceReply } from '@sluice/inference-port';
import type { Pipeline } from './deps.ts';
import { EventStream } from './event-stream.ts';
import type { ResponseRun } from './response-run.ts';
import { runTurns } from './run-turns.ts';

/**
 * Answers with events. The status is held back until there is output or an error, for `statusHeldMs` at most. Throws
 * the Fault of a response that failed before that.
 */
export async function streamReply(
  pipeline: Pipeline,
  response: ResponseRun,
): Promise<InferenceReply | Rejection> {
  const stream = new EventStream(pipeline, response);
  const opened = Promise.withResolvers<undefined>();
  const work = pump(pipeline, response, { stream, onOpen: () => opened.resolve(undefined) });
  pipeline.running.track(work).catch((error: unknown) => {
    if (stream.isOpen)
      pipeline.logger.error('a stream broke', { generationId: response.id, error });
  });
  const refused = await Promise.race([opened.promise, work]);
  if (refused) return refused;
  return { status: 200, headers: { ...stream.headers, ...response.headers }, body: stream.body };
}

interface Pumping {
  readonly stream: EventStream;
  readonly onOpen: () => void;
}

/** Writes all events to `[DONE]`. Usage is durable before the terminal event is written. */
async function pump(
  pipeline: Pipeline,
  response: ResponseRun,
  { stream, onOpen }: Pumping,
): Promise<Rejection | undefined> {
  let held: NodeJS.Timeout | undefined;
  try {
    const ended = await runTurns(pipeline, response, {
      opened() {
        held = setTimeout(() => {
          stream.openWaiting();
          onOpen();
        }, pipeline.limits.statusHeldMs);
      },
      servedBy(model, provider) {
        clearTimeout(held);
        stream.servedBy(model, provider);
        onOpen();
      },
      parts: (parts) => stream.parts(parts),
    });
    if (isRejection(ended)) return ended;
    stream.end(ended);
  } catch (error) {
    if (!stream.isOpen) throw error;
    stream.fail(error);
  } finally {
    clearTimeout(held);
    stream.close();
  }
  return undefined;
}
