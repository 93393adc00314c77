import { join } from 'node:path';
import type { LogEnd } from './durable-mark.ts';
import { segmentName } from './segment.ts';

/** Describes the state in which a log was found, and its repair. */
export interface Recovery {
  /** Bytes behind the last whole append, which were cut off. */
  readonly cutBytes: number;
  /** Acknowledged bytes that are missing, given up because the operator said so. */
  readonly lostBytes: number;
  /** The end of the log before, with the part that is missing now. */
  readonly positionBefore: number;
  readonly positionAfter: number;
}

/** Acknowledged appends are missing at the end of the log. Nothing was changed on disk. */
export class LostEvents extends Error {
  override readonly name = 'LostEvents';
  readonly lostBytes: number;

  constructor(directory: string, end: LogEnd, acknowledged: LogEnd, hasSegment: boolean) {
    const lostBytes = acknowledged.position - end.position;
    const file = join(directory, segmentName(acknowledged.base));
    const where = hasSegment
      ? `${file} ends at position ${end.position}`
      : `${file} is missing, and the log ends at position ${end.position}`;
    super(
      `${where}, but everything up to position ${acknowledged.position} was acknowledged: ` +
        `${lostBytes} bytes are missing. Restore the log from a backup. To go on without them, ` +
        'start once with --accept-loss (SLUICE_EVENTSTORE_ACCEPT_LOSS=true).',
    );
    this.lostBytes = lostBytes;
  }
}

/** A sentence about what recovery did; undefined when it did nothing. */
export function recoverySentence(
  directory: string,
  { cutBytes, lostBytes, positionBefore, positionAfter }: Recovery,
): string | undefined {
  if (cutBytes === 0 && lostBytes === 0) return undefined;
  const positions = `ended at position ${positionBefore} and ends at ${positionAfter} now`;
  const done = `The event log in ${directory} ${positions}`;
  if (lostBytes > 0)
    return (
      `${done}: ${lostBytes} acknowledged bytes were lost, and the loss was accepted; ` +
      `recovery cut ${cutBytes} bytes. Rebuild all read models.`
    );
  return `${done}: recovery cut ${cutBytes} bytes of an append that was not acknowledged.`;
}

export function markProblemSentence(directory: string, { message }: Error): string {
  return (
    `The mark of what is durable in ${directory} cannot be written, so that a later start would not notice ` +
    `a loss: ${message}`
  );
}
