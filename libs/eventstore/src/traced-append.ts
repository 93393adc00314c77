import { Fault } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import { spanAttributes, type Tracing } from '@sluice/telemetry';

/** Records a span per append whose events carry a trace. Returns the append itself where no spans are recorded. */
export function tracedAppend(
  append: EventStore['append'],
  tracing: Tracing | undefined,
): EventStore['append'] {
  if (!tracing?.isRecording) return append;
  return async (stream, events, expected, signal) => {
    const { metadata } = events[0] ?? {};
    if (metadata?.traceparent === undefined) return await append(stream, events, expected, signal);
    const span = tracing.start('append', {
      kind: 'client',
      parent: metadata.traceparent,
      attributes: () => ({
        'db.system.name': 'eventstoredb',
        'db.operation.name': 'append',
        [spanAttributes.stream]: stream,
        [spanAttributes.events]: events.map(({ type }) => type),
        [spanAttributes.requestId]: metadata.requestId,
      }),
    });
    try {
      const appended = await append(stream, events, expected, signal);
      span.end();
      return appended;
    } catch (error) {
      span.end(error instanceof Fault ? error.code : 'internal');
      throw error;
    }
  };
}
