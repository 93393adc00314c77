import type { CanonicalCall } from '../request/call.ts';
import type { ResponseStage } from './stage.ts';

const none: readonly never[] = [];

/** Opens the stages that concern a call, in their order. There is nothing to wait for if none does. */
export function openStages<Opened, Context>(
  stages: readonly ResponseStage<string, Opened, Context>[],
  call: CanonicalCall,
  context: Context,
): readonly Opened[] | Promise<readonly Opened[]> {
  let opening: (Opened | Promise<Opened | undefined>)[] | undefined;
  for (const stage of stages) {
    const one = stage.open(call, context);
    if (one !== undefined) (opening ??= []).push(one);
  }
  return opening ? opened(opening) : none;
}

async function opened<Opened>(
  opening: readonly (Opened | Promise<Opened | undefined>)[],
): Promise<readonly Opened[]> {
  const all = await Promise.all(opening);
  return all.filter((one) => one !== undefined) as readonly Opened[];
}
