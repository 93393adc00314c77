import type { CallItem, OutputItem } from './output-item.ts';

/** Returns true for an item that a later response goes on with. It is not closed. */
export function isSuspended(item: OutputItem): boolean {
  return item.kind === 'native' && item.isSuspended === true;
}

export function suspended(item: OutputItem): OutputItem {
  return item.kind === 'native' ? { ...item, isSuspended: true } : item;
}

/** Returns a function that adds the conversation of a worker to its call. */
export function withTranscript(
  subagentItems: NonNullable<CallItem['subagentItems']>,
): (item: OutputItem) => OutputItem {
  return (item) => (item.kind === 'tool-call' ? { ...item, subagentItems } : item);
}
