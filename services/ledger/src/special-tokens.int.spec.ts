import { deepEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture } from './testing/ledger-fixture.ts';

test('tokens with a price of their own are kept with their fact', async () => {
  const { database, publish, until, count } = await ledgerFixture();
  await publish(aFact({ specialTokens: { cacheWriteTokens: '7' } }), aFact());
  await until(async () => (await count('usage_facts')) === 2);
  const rows = await database.query<{ counts: unknown }>({
    text: 'SELECT special_tokens AS counts FROM usage_facts ORDER BY special_tokens::text',
    values: [],
  });
  deepEqual(
    rows.map(({ counts }) => counts),
    [{ cacheWriteTokens: 7 }, {}],
  );
});
