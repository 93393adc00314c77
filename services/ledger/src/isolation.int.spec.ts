import { deepEqual } from 'node:assert/strict';
import type { Database } from '@sluice/read-model';
import { withoutAccountFilters, withoutPolicies } from '@sluice/read-model/testing';
import { describe, test } from 'vitest';
import { readActivity } from './queries/read-activity.ts';
import { readBudgetProof } from './queries/read-budget-proof.ts';
import { readCredits } from './queries/read-credits.ts';
import { recordFailures } from './commands/record-failures.ts';
import { readFailedTurns } from './queries/read-failed-turns.ts';
import { readGeneration } from './queries/read-generation.ts';
import { aFailedGeneration } from './testing/a-failed-generation.ts';
import { aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture } from './testing/ledger-fixture.ts';

const fact = aFact({ keyHash: 'key1', generationId: 'gen-1', costNanoUsd: 3n });

async function counted() {
  const { database, publish, publishCredit, until, count } = await ledgerFixture();
  await publish(fact);
  await publishCredit('c1', 'grant', 5n);
  await until(async () => (await count('usage_facts')) === 1 && (await count('credits')) === 1);
  const generation = aFailedGeneration({ generationId: 'gen-failed' });
  await recordFailures(database, {
    failures: [{ accountId: 'acct_1', generation, turn: 1 }],
  });
  return database;
}

/** All that the books say to an account. */
async function told(database: Database, accountId: string) {
  const generations = await readGeneration(database, { accountId, generationId: 'gen-1' });
  const failed = await readFailedTurns(database, { accountId, generationId: 'gen-failed' });
  const days = { fromDay: '2000-01-01', toDay: '2100-01-01', offset: 0, limit: 10 };
  const activity = await readActivity(database, {
    accountId,
    byWorkspace: false,
    byApp: false,
    ...days,
  });
  const { totalCreditsNanoUsd: credits } = await readCredits(database, accountId);
  const { budgets } = await readBudgetProof(database, { accountId, scopeId: 'acct_1' });
  return {
    generations: generations.map(({ part }) => [part.userId, part.costNanoUsd]),
    activity: activity.length,
    credits,
    budgets: budgets.length,
    failed: failed.length,
  };
}

const nothing = { generations: [], activity: 0, credits: 0n, budgets: 0, failed: 0 };

describe('a ledger that forgets for whom it asks', () => {
  test('tells an account nothing of another one’s books', async () => {
    const forgetful = withoutAccountFilters(await counted());
    deepEqual(await told(forgetful, 'acct_2'), nothing);
    const own = await told(forgetful, 'acct_1');
    deepEqual(own.generations, [[fact.userId, 3n]]);
    deepEqual([own.activity, own.credits, own.failed], [1, 5n, 1]);
  });

  test('would tell, without the policies of the tables', async () => {
    const open = withoutPolicies(withoutAccountFilters(await counted()));
    const { generations, credits, failed } = await told(open, 'acct_2');
    deepEqual(generations, [[fact.userId, 3n]]);
    deepEqual([credits, failed], [5n, 1]);
  });
});
