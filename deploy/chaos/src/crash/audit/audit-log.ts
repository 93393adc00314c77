import type { RecordedEvent } from '@sluice/es';
import { auditOrder } from '../../audit-order.ts';

/**
 * Checks a log: revisions have no gap, positions grow, each event and each command comes once. The log is in its own
 * order. Returns the violations, in sentences.
 */
export function auditLog(log: readonly RecordedEvent[]): readonly string[] {
  return [...auditOrder(log), ...onceEach(log), ...commandsOnce(log)];
}

function onceEach(log: readonly RecordedEvent[]): readonly string[] {
  const ids = new Set<string>();
  return log.flatMap(({ id, stream, revision }) => {
    if (ids.has(id)) return [`${stream}@${revision}: event ${id} is in the log twice`];
    ids.add(id);
    return [];
  });
}

/** The events of one command are one append: one stream, one revision after the other. */
function commandsOnce(log: readonly RecordedEvent[]): readonly string[] {
  const last = new Map<string, RecordedEvent>();
  return log.flatMap((event) => {
    const { commandId } = event.metadata as { readonly commandId: string };
    const before = last.get(commandId);
    last.set(commandId, event);
    if (!before) return [];
    const goesOn = before.stream === event.stream && before.revision + 1n === event.revision;
    const where = `${before.stream}@${before.revision} and ${event.stream}@${event.revision}`;
    return goesOn ? [] : [`command ${commandId} was carried out twice: ${where}`];
  });
}
