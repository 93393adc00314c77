import { type Bus, creditStream, subjects } from '@sluice/bus';
import type { RecordedEvent } from '@sluice/es';
import { CreditRecorded } from '@sluice/protos/sluice/credit/v1/credit_events';
import type { Projection } from '@sluice/read-model';
import { accountEvents, accountStreamPrefix } from '../store/account-events.ts';

export type CreditBus = Pick<Bus, 'publishFact' | 'ensureStream'>;

/**
 * When credits change, the ledger is told: each fact is stored by the bus before the checkpoint
 * moves. At least once; the consumer counts by `credit_id`, which is the id of the stored event.
 */
export function publishCredits(bus: CreditBus): Projection {
  let streamIsThere: Promise<void> | undefined;
  async function publish(events: readonly RecordedEvent[]): Promise<void> {
    for (const recorded of events) {
      const event = accountEvents.decode(recorded);
      switch (event.type) {
        case 'AccountOpened':
          break;
        case 'CreditsGranted': {
          streamIsThere ??= bus.ensureStream(creditStream);
          await streamIsThere.catch((error: unknown) => {
            streamIsThere = undefined;
            throw error;
          });
          const { accountId, amountNanoUsd, grantedAt } = event.data;
          const message = CreditRecorded.toJSON({
            creditId: recorded.id,
            accountId,
            entryKind: 'grant',
            amountNanoUsd: BigInt(amountNanoUsd),
            occurredAt: grantedAt,
          });
          await bus.publishFact(subjects.creditRecorded(accountId), recorded.id, message as object);
          break;
        }
      }
    }
  }
  return {
    projection: 'account.publish_credits',
    version: 1,
    streamPrefixes: [accountStreamPrefix],
    tables: [],
    apply: (_transaction, events) => publish(events),
  };
}
