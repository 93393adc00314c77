import type { LedgerModel } from '@sluice/ledger/testing';

/** Counts the ways in which usage came to the ledger. */
export interface Delivered {
  /** Facts in one message with others. */
  readonly together: number;
  /** Facts that came in a second message as well, with others than before. */
  readonly again: number;
  /** Messages of which one transaction counted the beginning and another the rest. */
  readonly cut: number;
}

/** Read off what the ledger was asked to count. */
export function delivered({ carried }: Pick<LedgerModel, 'carried'>): Delivered {
  const [together, again, cut] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const messageOf = new Map<string, string>();
  let last: string | undefined;
  for (const { operation } of carried) {
    if (operation.do !== 'settle usage') continue;
    let before: string | undefined;
    for (const one of operation.decoded) {
      const id = one.message.id ?? '';
      if (before === undefined && last === id) cut.add(id);
      if ('fact' in one) {
        const { usageId } = one.fact;
        if (before === id) together.add(usageId);
        if ((messageOf.get(usageId) ?? id) !== id) again.add(usageId);
        messageOf.set(usageId, id);
      }
      before = id;
    }
    last = before;
  }
  return { together: together.size, again: again.size, cut: cut.size };
}
