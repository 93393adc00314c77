import { createFactPublisher, creditStream, type FactBus, subjects } from '@sluice/bus';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import { type Projection, streamReaction } from '@sluice/read-model';
import type { AccountEvent } from '../domain/account/events.ts';
import { accountEvents } from '../store/account-events.ts';

/**
 * Publishes each change of credits to the ledger. The bus has stored the fact before the checkpoint
 * moves. At least once; the consumer counts by `credit_id`, which is the id of the stored event.
 */
export function publishCredits(bus: FactBus): Projection {
  const publishFact = createFactPublisher(bus, creditStream);
  const facts = { projection: 'account.publish_credits', version: 1 };
  return streamReaction(accountEvents, facts, async (event, { id: creditId }) => {
    const entry = entryOf(event);
    if (!entry) return;
    const message = CreditRecorded.toJSON({ creditId, ...entry }) as object;
    await publishFact(subjects.creditRecorded(entry.accountId), creditId, message);
  });
}

/** Returns undefined if the event changes no credits. A refund is negative. */
function entryOf(event: AccountEvent): Omit<CreditRecorded, 'creditId'> | undefined {
  switch (event.type) {
    case 'AccountOpened':
    case 'OrganizationSettingsChanged':
    case 'EntitlementChanged':
      return undefined;
    case 'CreditsGranted': {
      const { accountId, amountNanoUsd, grantedAt: occurredAt } = event.data;
      return { accountId, entryKind: 'grant', amountNanoUsd: BigInt(amountNanoUsd), occurredAt };
    }
    case 'CreditsPurchased': {
      const { accountId, amountNanoUsd, purchasedAt: occurredAt } = event.data;
      return { accountId, entryKind: 'purchase', amountNanoUsd: BigInt(amountNanoUsd), occurredAt };
    }
    case 'CreditsRefunded': {
      const { accountId, amountNanoUsd, refundedAt: occurredAt } = event.data;
      return { accountId, entryKind: 'refund', amountNanoUsd: -BigInt(amountNanoUsd), occurredAt };
    }
  }
}
