import { randomUUID } from 'node:crypto';
import { type Bus, subjects, usageBundleFactsMax } from '@sluice/bus';
import { eventually } from '@sluice/patience';
import { type UsageFact, writeFact } from '@sluice/usage-facts';
import { accountId } from './year-of-facts.ts';

/** A broker on a busy machine may answer too late. */
const patience = { everyMs: 200, looksMax: 10 };

/**
 * Publishes facts as routing does, those of a moment in one message. A message that the broker has not taken is sent
 * again with its id, up to ten times.
 */
export async function publishFacts(
  bus: Pick<Bus, 'publishFact'>,
  facts: readonly UsageFact[],
): Promise<void> {
  const written = facts.map(writeFact);
  for (let from = 0; from < written.length; from += usageBundleFactsMax) {
    const message = { facts: written.slice(from, from + usageBundleFactsMax) };
    const id = randomUUID();
    await eventually(
      () => bus.publishFact(subjects.usageRecorded(accountId), id, message),
      patience,
    );
  }
}
