import { comparePositions } from '@sluice/es';
import type { LogEvent } from './read-log.ts';

/**
 * Checks a log: revisions have no gap, positions grow, each event and each command comes once. The log is in its own
 * order. Returns the violations, in sentences.
 */
export function auditLog(log: readonly LogEvent[]): readonly string[] {
  return [...auditOrder(log), ...onceEach(log), ...commandsOnce(log)];
}

/** Returns the gaps in revisions and the positions that do not grow, in sentences. */
export function auditOrder(log: readonly LogEvent[]): readonly string[] {
  const findings: string[] = [];
  const revisions = new Map<string, bigint>();
  for (const [index, { stream, revision, position }] of log.entries()) {
    const expected = (revisions.get(stream) ?? -1n) + 1n;
    if (revision !== expected)
      findings.push(`${stream}: revision ${revision} where ${expected} belongs`);
    revisions.set(stream, revision);
    const before = log[index - 1];
    if (before && comparePositions(before.position, position) >= 0)
      findings.push(`${stream}@${revision}: its position is not behind the one before it`);
  }
  return findings;
}

function onceEach(log: readonly LogEvent[]): readonly string[] {
  const ids = new Set<string>();
  return log.flatMap(({ id, stream, revision }) => {
    if (ids.has(id)) return [`${stream}@${revision}: event ${id} is in the log twice`];
    ids.add(id);
    return [];
  });
}

/** The events of one command are one append: one stream, one revision after the other. */
function commandsOnce(log: readonly LogEvent[]): readonly string[] {
  const last = new Map<string, LogEvent>();
  return log.flatMap((event) => {
    const { commandId } = event.metadata;
    const before = last.get(commandId);
    last.set(commandId, event);
    if (!before) return [];
    const goesOn = before.stream === event.stream && before.revision + 1n === event.revision;
    const where = `${before.stream}@${before.revision} and ${event.stream}@${event.revision}`;
    return goesOn ? [] : [`command ${commandId} was carried out twice: ${where}`];
  });
}
