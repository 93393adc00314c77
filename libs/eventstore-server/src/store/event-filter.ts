import type { EventIndex } from './event-index.ts';
import { compilePattern } from './pattern.ts';

/** Which events of `$all` a reader wants; decided from the index, no payload is read for it. */
export type EventFilter = (index: EventIndex, ordinal: number) => boolean;

export interface FilterExpression {
  readonly on: 'stream' | 'type';
  readonly prefixes: readonly string[];
  /** Used when it is not empty. */
  readonly regex: string;
}

export const everyEvent: EventFilter = () => true;

/** Throws PatternError for an expression that is not understood. */
export function eventFilter({ on, prefixes, regex }: FilterExpression): EventFilter {
  const subject =
    on === 'stream'
      ? (index: EventIndex, ordinal: number) => index.streamAt(ordinal).name
      : (index: EventIndex, ordinal: number) => index.typeAt(ordinal);
  if (regex !== '') {
    const matches = compilePattern(regex);
    return (index, ordinal) => matches(subject(index, ordinal));
  }
  return (index, ordinal) => {
    const text = subject(index, ordinal);
    return prefixes.some((prefix) => text.startsWith(prefix));
  };
}
