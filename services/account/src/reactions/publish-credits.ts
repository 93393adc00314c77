import { createFactPublisher, creditStream, type FactBus, subjects } from '@sluice/bus';
import type { RecordedEvent } from '@sluice/es';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import type { Projection } from '@sluice/read-model';
import type { AccountEvent } from '../domain/account/events.ts';
import { accountEvents } from '../store/account-events.ts';

/**
 * Publishes each change of credits to the ledger. The bus has stored the fact before the checkpoint
 * moves. At least once; the consumer counts by `credit_id`, which is the id of the stored event.
 */
export function publishCredits(bus: FactBus): Projection {
  const publishFact = createFactPublisher(bus, creditStream);
  async function publish(events: readonly RecordedEvent[]): Promise<void> {
    for (const recorded of events) {
      const entry = entryOf(accountEvents.decode(recorded));
      if (!entry) continue;
      const { accountId } = entry;
      const message = CreditRecorded.toJSON({ creditId: recorded.id, ...entry });
      await publishFact(subjects.creditRecorded(accountId), recorded.id, message as object);
    }
  }
  return {
    projection: 'account.publish_credits',
    version: 1,
    streamPrefixes: [accountEvents.streamPrefix],
    tables: [],
    apply: (_transaction, events) => publish(events),
  };
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
