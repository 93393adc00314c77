import type { Telemetry } from '@sluice/telemetry';
import type { Recovery } from './log/lost-events.ts';

/** Shows how the log was found at the last start. */
export function observeRecovery(
  { observe }: Pick<Telemetry, 'observe'>,
  { cutBytes, lostBytes, positionBefore, positionAfter }: Recovery,
): void {
  observe('eventstore.recovery.cut.bytes', () => cutBytes);
  observe('eventstore.recovery.lost.bytes', () => lostBytes);
  observe('eventstore.recovery.position', () => positionBefore, { when: 'before' });
  observe('eventstore.recovery.position', () => positionAfter, { when: 'after' });
}
