import { comparePositions, type RecordedEvent } from '@sluice/es';

/** Returns violations, in sentences: gaps in revisions, and positions that do not grow. */
export function auditOrder(log: readonly RecordedEvent[]): readonly string[] {
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
