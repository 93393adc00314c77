import type { CanonicalCall } from '../request/call.ts';
import type { ResponseStage } from './stage.ts';

const none: readonly never[] = [];

/** Opens the stages that concern a call, in their order. */
export async function openStages<Opened, Context>(
  stages: readonly ResponseStage<string, Opened, Context>[],
  call: CanonicalCall,
  context: Context,
): Promise<readonly Opened[]> {
  let opened: Opened[] | undefined;
  for (const stage of stages) {
    const opening = stage.open(call, context);
    const one = opening instanceof Promise ? await opening : opening;
    if (one !== undefined) (opened ??= []).push(one);
  }
  return opened ?? none;
}
