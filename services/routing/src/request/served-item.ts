import type { InputItem } from '@sluice/inference';

/** A call that the service ran in an earlier turn, as a dialect with calls and results of their own tells it. */
export interface ServedBefore {
  /** The type of the tool, such as `service:datetime`. */
  readonly type: string;
  readonly callId: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/**
 * Returns a call that the service ran before as an item, which `tools/replay-items.ts` replaces. A request that lacks
 * the tool goes on without it.
 */
export function servedItem({ type, callId, arguments: args, output }: ServedBefore): InputItem {
  const item = {
    ...args,
    type,
    id: callId,
    arguments: JSON.stringify(args),
    served_output: output,
  };
  return { type: 'native', item, text: '' };
}
