import { spanAttributes, type Tracing } from '@sluice/telemetry';
import type { UsageFact } from '@sluice/usage-facts';
import type { Decoded } from '../messages/decode.ts';

/**
 * Records the committed count of each fact that carries the trace of its request. One transaction counts many facts, so
 * their spans have the same start and the same end.
 */
export function traceCounted(
  tracing: Tracing,
  decoded: readonly Decoded<UsageFact>[],
  startedAtMs: number,
): void {
  if (!tracing.isRecording) return;
  for (const one of decoded) {
    if (!('fact' in one) || one.fact.traceparent === '') continue;
    const { traceparent: parent, requestId, generationId, usageId } = one.fact;
    const attributes = () => ({
      [spanAttributes.requestId]: requestId,
      [spanAttributes.generationId]: generationId,
      [spanAttributes.usageId]: usageId,
    });
    tracing.start('count usage', { kind: 'consumer', parent, startedAtMs, attributes }).end();
  }
}
