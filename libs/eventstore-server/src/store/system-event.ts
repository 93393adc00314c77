import { randomUUID } from 'node:crypto';
import type { ProposedEvent } from '../log/frame.ts';
import { idBytes } from './uuid.ts';

/** An event that the node writes by itself. */
export function systemEvent(type: string, json: string): ProposedEvent {
  const data = Buffer.from(json);
  return { id: idBytes(randomUUID()), type, json: true, metadata: Buffer.alloc(0), data };
}
