import type { EventIndex } from './event-index.ts';

/** Which events of `$all` a reader wants; decided from the index, no payload is read for it. */
export type EventFilter = (index: EventIndex, ordinal: number) => boolean;

export interface FilterExpression {
  readonly on: 'stream' | 'type';
  readonly prefixes: readonly string[];
}

export const everyEvent: EventFilter = () => true;

export function eventFilter({ on, prefixes }: FilterExpression): EventFilter {
  const subject =
    on === 'stream'
      ? (index: EventIndex, ordinal: number) => index.streamAt(ordinal).name
      : (index: EventIndex, ordinal: number) => index.typeAt(ordinal);
  return (index, ordinal) => {
    const text = subject(index, ordinal);
    return prefixes.some((prefix) => text.startsWith(prefix));
  };
}
