import { randomUUID } from 'node:crypto';
import type { InputItem, StreamPart } from '@sluice/inference';
import type { ChangeParts } from './restore-calls.ts';

/**
 * Gives each call of an answer an id of its own. Some servers send none, the same one in each answer, or the same one
 * twice in one answer. Providers refuse a conversation with such ids. `items` are the conversation so far.
 */
export function uniqueCalls(items: readonly InputItem[]): ChangeParts {
  let known: Set<string> | undefined;
  const named = (part: StreamPart): StreamPart => {
    if (part.type !== 'tool-call-start') return part;
    known ??= new Set(items.flatMap((item) => ('callId' in item ? [item.callId] : [])));
    const isNew = part.callId !== '' && !known.has(part.callId);
    const callId = isNew ? part.callId : `call_${randomUUID().replaceAll('-', '')}`;
    known.add(callId);
    return isNew ? part : { ...part, callId };
  };
  return (parts) => (parts.some(isCallStart) ? parts.map(named) : parts);
}

const isCallStart = ({ type }: StreamPart) => type === 'tool-call-start';
