import { deepEqual, equal, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, inject, test } from 'vitest';
import { aByokFact, aFact, anEstimate, aToolFact } from '@sluice/usage-facts/testing';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import { verifyLedger } from './verify-ledger.ts';

const served = {
  upstreamId: 'resp_true',
  inputTokens: 12n,
  cachedTokens: 2n,
  outputTokens: 90n,
  reasoningTokens: 0n,
  isFree: false,
};

/** Facts around the ends of windows, of two accounts, on leases, at no cost, with own keys, estimated. */
async function aLedger({ feeNanoUsd }: { readonly feeNanoUsd?: bigint } = {}) {
  const fixture = await ledgerFixture();
  const { client, database, publish, publishCredit, until, count } = fixture;
  const run = (text: string) => database.query({ text, values: [] });
  await run(`INSERT INTO leases (replica, epoch, number, account_id, scope_kind, scope_id, window_kind,
      window_start, granted_nano_usd, returned_nano_usd)
    VALUES ('routing-0', 1, 7, 'acct_1', 'account', 'acct_1', 'lifetime', to_timestamp(0), 19000, 0),
      ('routing-0', 1, 9, 'acct_1', 'allowance', 'acct_1', 'monthly', '2026-11-01', 19000, 0)`);
  await publishCredit('c-1', 'purchase', 50_000n);
  await publishCredit('c-2', 'refund', -20_000n);
  const twice = aFact({ leaseEpoch: 1n, leaseNumbers: [7n, 8n] });
  await publish(
    twice,
    twice,
    aFact({ isByok: true, guardrailScopes: ['g1:key:key1', 'g2:member:user_1'] }),
    aByokFact({
      ...(feeNanoUsd === undefined ? {} : { feeNanoUsd }),
      leaseEpoch: 1n,
      leaseNumbers: [8n],
      feeLeaseNumbers: [7n],
      allowanceLeaseNumber: 9n,
    }),
    aFact({ costNanoUsd: 0n, endpointId: '' }),
    ...['1/2', '2/13'].map((step) => aFact({ usageId: `${twice.generationId}/${step}` })),
    aToolFact({ usageId: `${twice.generationId}/tool/1`, leaseEpoch: 1n, leaseNumbers: [7n] }),
    aFact({ generationId: twice.generationId, accountId: 'acct_2', keyHash: 'key2' }),
    ...['2026-11-22T23:59:59.999Z', '2026-11-23T00:00:00.000Z', '2027-01-01T00:00:00.000Z'].map(
      (admittedAt) => aFact({ admittedAt, guardrailScopes: ['g1:key:key1'] }),
    ),
  );
  const corrected = anEstimate({ leaseEpoch: 1n, leaseNumbers: [7n], claimedNanoUsd: 5n });
  await publish(corrected, anEstimate({ isByok: true, guardrailScopes: ['g1:key:key1'] }));
  await until(async () => (await count('usage_facts')) === 13);
  const { accountId, usageId } = corrected;
  await client.correctUsage({ accountId, usageId, ...served });
  await until(async () => (await count('credits')) === 2);
  const verify = (differencesMax = 20) =>
    verifyLedger({ postgresUrl: inject('postgresUrl'), schema: database.schema, differencesMax });
  const differing = async () =>
    (await verify()).results.filter((one) => one.differing > 0n).map(({ check }) => check);
  return { ...fixture, run, verify, differing };
}

describe('a verification', () => {
  test('finds that all counters are what the facts give', async () => {
    const { verify } = await aLedger();
    const { facts, credits, results, differences } = await verify();
    deepEqual([facts, credits], [13n, 2n]);
    deepEqual(differences, []);
    deepEqual(
      results.map(({ check, rows, differing }) => [check, rows > 0n, differing]),
      [
        ['counters', true, 0n],
        ['suspended', true, 0n],
        ['corrections', true, 0n],
        ['activity', true, 0n],
        ['limits of accounts', true, 0n],
        ['leases', true, 0n],
        ['transfers', true, 0n],
        ['fact log', true, 0n],
      ],
    );
  });

  test('shows the row that differs by one nano-USD, and changes nothing', async () => {
    const { run, verify, differing } = await aLedger();
    await run(`UPDATE counters SET credits_nano_usd = credits_nano_usd + 1
      WHERE scope_kind = 'key' AND window_kind = 'lifetime' AND account_id = 'acct_2'`);
    const { differences } = await verify();
    deepEqual(differences, [
      {
        check: 'counters',
        key: '{"account_id" : "acct_2", "scope_kind" : "key", "scope_id" : "key2", "window_kind" : "lifetime", "window_start" : "1970-01-01T00:00:00+00:00"}',
        stored: '{"credits_nano_usd" : 1001, "byok_nano_usd" : 0}',
        expected: '{"credits_nano_usd" : 1000, "byok_nano_usd" : 0}',
      },
    ]);
    deepEqual(await differing(), ['counters']);
  });

  for (const [what, statement, expected] of [
    ['a counter that is gone', `DELETE FROM counters WHERE account_id = 'acct_2'`, ['counters']],
    [
      'a counter of a guardrail',
      `UPDATE counters SET byok_nano_usd = 0 WHERE scope_id = 'g2:member:user_1'`,
      ['counters'],
    ],
    [
      'a counter without facts',
      `INSERT INTO counters VALUES ('acct_3', 'key', 'k', 'daily', now(), 0, 0)`,
      ['counters'],
    ],
    [
      'a fee that somebody else pays',
      'UPDATE usage_facts SET fee_nano_usd = 0 WHERE is_byok',
      ['counters', 'activity', 'leases', 'transfers'],
    ],
    [
      'an allowance that is larger again',
      `UPDATE counters SET byok_nano_usd = 399 WHERE scope_kind = 'allowance'`,
      ['counters'],
    ],
    ['tokens of a day', 'UPDATE activity SET input_tokens = input_tokens + 1', ['activity']],
    ['what is in suspense', 'UPDATE suspended SET byok_nano_usd = 8999', ['suspended']],
    [
      'a correction that its row does not have',
      'UPDATE corrections SET output_tokens = 91',
      ['corrections'],
    ],
    [
      'suspense that is gone from the books',
      `DELETE FROM transfers WHERE to_book = 'suspense' AND entry_kind = 'usage'`,
      ['transfers'],
    ],
    ['a limit', 'UPDATE limits SET limit_nano_usd = 30001', ['limits of accounts']],
    ['what a lease paid', 'UPDATE leases SET counted_nano_usd = 999', ['leases']],
    ['a transfer that is gone', `DELETE FROM transfers WHERE account_id = 'acct_2'`, ['transfers']],
    [
      'money that went to another book',
      `UPDATE transfers SET to_book = 'byok_usage' WHERE to_book = 'revenue'`,
      ['transfers'],
    ],
    [
      'a fact that costs something else now',
      `UPDATE usage_facts SET cost_nano_usd = 5 WHERE account_id = 'acct_2'`,
      ['counters', 'activity', 'transfers'],
    ],
  ] as const)
    test(`finds ${what}`, async () => {
      const { run, differing } = await aLedger();
      await run(statement);
      deepEqual(await differing(), expected);
    });

  test('shows no more rows than were asked for', async () => {
    const { run, verify } = await aLedger();
    await run('DELETE FROM counters');
    const { results, differences } = await verify(3);
    equal(differences.length, 3);
    equal((results[0]?.differing ?? 0n) > 3n, true);
  });
});

describe('the spend of a workspace', () => {
  test('from before it was counted is counted', async () => {
    // There were no fees then.
    const { run, verify, differing } = await aLedger({ feeNanoUsd: 0n });
    await run(`DELETE FROM counters WHERE scope_kind = 'workspace'`);
    deepEqual(await differing(), ['counters']);
    const file = new URL('../migrations/0006_budget_scopes.sql', import.meta.url);
    const [, backfill = ''] = (await readFile(file, 'utf8')).split(/(?=INSERT INTO counters)/);
    await run(backfill);
    deepEqual((await verify()).differences, []);
  });
});

/** The lines that a transfer had when there were two for each movement, and four through a clearing account. */
const lines = `
  SELECT entry_kind, entry_id, posted.line, account_id, book, '', amount FROM earlier
  CROSS JOIN LATERAL (VALUES
    (from_book, -amount_nano_usd, 0, true),
    ('clearing', amount_nano_usd, 1, line IN (1, 4, 5) AND entry_kind <> 'credit'),
    ('clearing', -amount_nano_usd, 2, line IN (1, 4, 5) AND entry_kind <> 'credit'),
    (to_book, amount_nano_usd, CASE WHEN line IN (1, 4, 5) AND entry_kind <> 'credit' THEN 3 ELSE 1 END, true)
  ) AS side (book, amount, after, is_there)
  CROSS JOIN LATERAL (SELECT (ARRAY[1, 5, 7, 9, 13, 17])[line] + after AS line) AS posted
  WHERE is_there`;

describe('transfers', () => {
  const migration = async (name: string) =>
    await readFile(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8');
  const withPostings = async (run: (text: string) => Promise<unknown>) => {
    await run('CREATE TABLE earlier AS SELECT * FROM transfers');
    await run('DROP VIEW postings');
    await run('DROP TABLE transfers');
    await run(await migration('0005_postings'));
  };

  test('of what was counted before there were any are those of today', async () => {
    const { run, differing } = await aLedger({ feeNanoUsd: 0n });
    // There were neither fees nor estimates then; a lease here did pay for one.
    await run('TRUNCATE estimates, corrections, suspended');
    await run(`DELETE FROM fact_log WHERE entry_kind <> 'recorded'`);
    await withPostings(run);
    await run(await migration('0035_transfers'));
    deepEqual(await differing(), ['leases']);
  });

  test('are made of the postings of before, and none of these is left out', async () => {
    const { run, differing } = await aLedger();
    await withPostings(run);
    await run('TRUNCATE postings');
    for (const name of ['entry_kind', 'book'])
      await run(`ALTER TABLE postings DROP CONSTRAINT postings_${name}_check`);
    await run(`INSERT INTO postings ${lines}`);
    await run(await migration('0035_transfers'));
    deepEqual(await differing(), []);
    await run('DROP TABLE earlier');
    await withPostings(run);
    await run(`ALTER TABLE postings DISABLE TRIGGER postings_balance`);
    await run(`DELETE FROM postings WHERE line = 4 AND account_id = 'acct_2'`);
    await rejects(run(await migration('0035_transfers')), { name: 'StatementFailed' });
  });
});

test('postings have both sides of each transfer, and sum to 0', async () => {
  const { run } = await aLedger();
  deepEqual(
    await run(`SELECT (SELECT count(*) FROM postings) = 2 * count(*) AS both,
      (SELECT sum(amount_nano_usd) FROM postings)::bigint AS sum FROM transfers`),
    [{ both: true, sum: 0n }],
  );
});
