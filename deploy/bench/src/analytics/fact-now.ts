import { randomUUID } from 'node:crypto';
import type { UsageFact } from '@sluice/usage-facts';
import { aFact } from '@sluice/usage-facts/testing';
import { accountId } from './year-of-facts.ts';

/** Returns a fact of this moment, of one of 200 keys and one of 50 models. */
export function factNow(externalUser: string): UsageFact {
  const at = new Date();
  const id = randomUUID();
  const admittedAt = at.toISOString();
  return aFact({
    accountId,
    externalUser,
    usageId: `gen-${id}/1/1`,
    generationId: `gen-${id}`,
    admittedAt,
    completedAt: admittedAt,
    model: `vendor/model-${at.getMilliseconds() % 50}`,
    keyHash: `key${at.getMilliseconds() % 200}`,
  });
}
