import { join } from 'node:path';
import { startCommanded } from '../harness/commanded-process.ts';
import type { ReceiverFunctions } from './receiver-main.ts';

/** Starts the receiver of deliveries in a process of its own. */
export async function startReceiver() {
  const program = join(import.meta.dirname, 'receiver-main.ts');
  const functions = ['listen', 'count', 'requests', 'came'] as const;
  const receiver = await startCommanded<ReceiverFunctions>('the receiver', program, functions);
  return { ...receiver, url: `http://127.0.0.1:${await receiver.listen()}` };
}
