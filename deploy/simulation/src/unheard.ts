import type { Asked } from './clients.ts';
import type { ProviderCall } from './provider.ts';

/** Returns true for a call of a model that a power cut may have lost: its client had heard nothing of it. */
export function mayBeUnknown(
  { mayLose, asked }: { readonly mayLose: boolean; readonly asked: readonly Asked[] },
  { life, requestId, arrivedMs, search }: ProviderCall,
): boolean {
  if (!mayLose || search || life.hasLostPower !== true) return false;
  const heardMs = asked.find((one) => one.requestId === requestId)?.heardMs;
  return heardMs === undefined || heardMs <= arrivedMs;
}
