import type { Bus, PublishNoticeOptions } from '../bus.ts';

/** The options of a reaction: a batch is applied again when its notices are not stored after this time. */
export const reactionNotice: PublishNoticeOptions = { timeoutMs: 5_000 };

/**
 * Returns a function that notifies the processes that cache something of an account. It resolves when the notice is
 * stored, so that disconnected processes read it later. It throws bus_unavailable.
 */
export function accountNotice<Change extends { readonly accountId: string }>(
  message: { toJSON(change: Change): unknown },
  subjectOf: (accountId: string) => string,
) {
  return (
    bus: Pick<Bus, 'publishNotice'>,
    change: Change,
    options?: PublishNoticeOptions,
  ): Promise<void> =>
    bus.publishNotice(subjectOf(change.accountId), message.toJSON(change) as object, options);
}
