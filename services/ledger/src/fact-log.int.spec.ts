import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import {
  type CountedFact,
  type FactsLedger,
  readCountedFacts,
  type UsageFact,
  writeCorrection,
  writeFact,
} from '@sluice/usage-facts';
import { describe, inject, test } from 'vitest';
import { expireSuspense } from './commands/expire-suspense.ts';
import { settleUsage } from './reactions/settle-usage.ts';
import {
  aByokFact,
  aDiscountedFact,
  aFact,
  aFailure,
  anEstimate,
} from '@sluice/usage-facts/testing';
import { ledgerFixture } from './testing/ledger-fixture.ts';
import { verifyLedger } from './verification/verify-ledger.ts';

const truth = {
  upstreamId: 'resp_true',
  inputTokens: 10n,
  cachedTokens: 0n,
  outputTokens: 200n,
  reasoningTokens: 0n,
  isFree: false,
};

/** The sessions that wait to write to the log. PostgreSQL shows the key of an advisory lock in two halves. */
const waiting = `
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND NOT granted
    AND (classid::bigint << 32) | objid::bigint
      = hashtextextended('sluice/fact-log/' || current_schema(), 0)`;

const jsonOf = (counted: CountedFact) =>
  counted.kind === 'recorded' ? writeFact(counted.fact) : writeCorrection(counted.correction);
const nameOf = (counted: CountedFact) =>
  counted.kind === 'recorded' ? counted.fact.usageId : counted.correction.correctionId;
const namesOf = (counted: readonly CountedFact[]) => counted.map(nameOf);

/** Reads the entries behind a cursor, and the cursor behind them. */
async function read(ledger: FactsLedger, { after = '', limit = 3 } = {}) {
  const facts: CountedFact[] = [];
  let next = after;
  for await (const page of readCountedFacts(ledger, { after, limit })) {
    ok(page.facts.length <= limit);
    facts.push(...page.facts);
    ({ next } = page);
  }
  return { facts, next };
}

async function ledgerWith(...facts: readonly UsageFact[]) {
  const ledger = await ledgerFixture();
  await ledger.publish(...facts);
  await ledger.until(async () => (await ledger.count('usage_facts')) === facts.length);
  const run = (text: string) => ledger.database.query({ text, values: [] });
  const correct = ({ accountId, usageId }: UsageFact) =>
    ledger.client.correctUsage({ accountId, usageId, ...truth });
  return { ...ledger, run, correct };
}

describe('the log of facts', () => {
  test('has each as it was counted first, and then what became of it', async () => {
    const attempts = [
      { provider: 'sim', endpointId: 'e-1', errorCode: '', latencyMs: 370n, isByok: false },
    ];
    const plain = aFact({
      attempts,
      routing: '{"requested": ["m"]}',
      specialTokens: { inputMedia: '3' },
      accountId: 'acct_2',
    });
    const estimate = anEstimate({ externalUser: 'customer-7' });
    const ofPrivateEndpoint = aByokFact({ prices: estimate.prices });
    const facts = [plain, ofPrivateEndpoint, aDiscountedFact(), estimate, aFailure()];
    const { client, correct, run, database } = await ledgerWith(...facts);
    const before = await read(client);
    deepEqual(before.facts.map(jsonOf), facts.map(writeFact));
    await run(`UPDATE estimates SET opened_at = now() - interval '9 hours'`);
    equal((await expireSuspense(database, 8)).length, 1);
    await correct(estimate);
    const later = await read(client, { after: before.next });
    const [expired, corrected] = later.facts.map((counted) =>
      counted.kind === 'corrected' ? counted.correction : undefined,
    );
    deepEqual(
      [expired?.source, expired?.fact.operatorSuspendedNanoUsd, expired?.fact.costNanoUsd],
      ['expiry', 9_000n, 1_000n],
    );
    deepEqual(
      [corrected?.source, corrected?.fact.outputTokens, corrected?.estimatedOutputTokens],
      ['provider', 200n, 45n],
    );
    equal(corrected?.fact.externalUser, 'customer-7');
    const all = await read(client, { limit: 200 });
    deepEqual(all.facts.map(jsonOf), [...before.facts, ...later.facts].map(jsonOf));
    const times = all.facts.map(({ countedAt }) => countedAt);
    // The times of the log are those of the books, which have microseconds.
    const [earlier] = await database.query<{ all: bigint }>({
      text: `SELECT count(*) AS all FROM unnest($1::text[], $2::timestamptz[]) AS told (usage_id, at)
        JOIN usage_facts USING (usage_id)
        WHERE counted_at <= told.at AND counted_at > told.at - interval '1 millisecond'`,
      values: [facts.map(({ usageId }) => usageId), times.slice(0, facts.length)],
    });
    equal(Number(earlier?.all), facts.length);
    deepEqual(
      times.slice(facts.length),
      all.facts.flatMap((one) => (one.kind === 'corrected' ? [one.correction.correctedAt] : [])),
    );
    deepEqual((await read(client, { after: all.next })).facts, []);
  });

  test('has the names of the same entries, with their days', async () => {
    const estimate = anEstimate({ admittedAt: '2026-10-31T23:59:59.999Z' });
    const facts = [aFact(), estimate, aFailure()];
    const { client, correct } = await ledgerWith(...facts);
    await correct(estimate);
    const { names, next, isLast } = await client.listCountedNames({ after: '', limit: 2_000 });
    const all = await read(client, { limit: 200 });
    const times = all.facts.map(({ countedAt }) => countedAt);
    deepEqual(
      names
        .flatMap(({ usageIds, kind, day, isOperatorsOwn, countedAt }) =>
          usageIds.map((usageId) => [usageId, kind, day, isOperatorsOwn, countedAt].join(' ')),
        )
        .toSorted(),
      [
        `${facts[0]?.usageId} recorded 2026-11-18 false ${times[0]}`,
        `${estimate.usageId} recorded 2026-10-31 false ${times[1]}`,
        `${facts[2]?.usageId} recorded 2026-11-18 true ${times[2]}`,
        `${estimate.usageId} corrected 2026-10-31 false `,
      ].toSorted(),
    );
    equal(isLast, true);
    equal(next, all.next);
    const first = await client.listCountedNames({ after: '', limit: 1 });
    deepEqual([first.names.flatMap(({ usageIds }) => usageIds).length, first.isLast], [1, false]);
    deepEqual((await read(client, { after: first.next })).facts.length, 3);
    await rejects(client.listCountedNames({ after: '', limit: 2_001 }), {
      code: 'invalid_request',
    });
  });

  test('has the names of a transaction together, and a page may end within them', async () => {
    const { client, publishBundle, until, count } = await ledgerFixture();
    const facts = Array.from({ length: 10 }, () => aFact());
    await publishBundle(facts, 'acct_1');
    await until(async () => (await count('usage_facts')) === facts.length);
    const pages: string[][] = [];
    let after = '';
    for (let isLast = false; !isLast;) {
      const page = await client.listCountedNames({ after, limit: 4 });
      equal(page.names.length, 1);
      pages.push(page.names.flatMap(({ usageIds }) => usageIds));
      ({ next: after, isLast } = page);
    }
    deepEqual(
      pages.map((page) => page.length),
      [4, 4, 2],
    );
    deepEqual(pages.flat().toSorted(), facts.map(({ usageId }) => usageId).toSorted());
  });

  test('gives every entry once to one who reads while ledgers write', async () => {
    const ledger = await ledgerFixture({ ledgers: 3 });
    const { client, database, publishBundle, until, count } = ledger;
    const facts = Array.from({ length: 240 }, (_, index) => {
      const accountId = `acct_${index % 2}`;
      return index % 4 === 0 ? anEstimate({ accountId }) : aFact({ accountId });
    });
    const estimates = facts.filter(({ estimated }) => estimated);
    const expected = facts.length + 2 * estimates.length;
    const seen: CountedFact[] = [];
    let next = '';
    const reading = until(async () => {
      const page = await read(client, { after: next, limit: 7 });
      seen.push(...page.facts);
      ({ next } = page);
      return seen.length >= expected;
    });
    for (const accountId of ['acct_0', 'acct_1']) {
      const own = facts.filter((fact) => fact.accountId === accountId);
      for (let at = 0; at < own.length; at += 10)
        await publishBundle(own.slice(at, at + 10), accountId);
    }
    await until(async () => (await count('usage_facts')) === facts.length);
    await Promise.all([0, 1].map(() => expireSuspense(database, 0)));
    await Promise.all(
      estimates.map(({ accountId, usageId }) =>
        client.correctUsage({ accountId, usageId, ...truth }),
      ),
    );
    await reading;
    deepEqual(
      namesOf(seen).toSorted(),
      [
        ...facts.map(({ usageId }) => usageId),
        ...estimates.flatMap(({ usageId }) => [`${usageId}/expiry`, `${usageId}/provider`]),
      ].toSorted(),
    );
    deepEqual(namesOf((await read(client, { limit: 200 })).facts), namesOf(seen));
  });

  test('shows nothing behind a transaction that is still open', async () => {
    const { client, database, publish, until } = await ledgerWith();
    const opened = Promise.withResolvers<void>();
    const closing = Promise.withResolvers<void>();
    const early = aFact();
    // It shares no counter with the other one: only the log makes it wait.
    const late = aFact({
      accountId: 'acct_2',
      workspaceId: 'ws_2',
      keyHash: 'key2',
      replica: 'routing-1',
    });
    const transaction = database.transaction(async (open) => {
      const message = { subject: '', id: '', bytes: new Uint8Array() };
      await settleUsage(open, [{ message, fact: early }]);
      opened.resolve();
      await closing.promise;
    });
    await opened.promise;
    await publish(late);
    await until(async () => (await database.query({ text: waiting, values: [] })).length === 1);
    deepEqual((await read(client)).facts, []);
    closing.resolve();
    await transaction;
    await until(async () => (await read(client)).facts.length === 2);
    deepEqual(namesOf((await read(client)).facts), [early.usageId, late.usageId]);
  });

  test('answers less than was asked for where facts are long, and all of them in the end', async () => {
    const routing = JSON.stringify({ a: 'x'.repeat(60_000) });
    const facts = Array.from({ length: 40 }, () => aFact({ routing }));
    const { client } = await ledgerWith(...facts);
    const { facts: page, isLast } = await client.readFacts({ after: '', limit: 200 });
    deepEqual([page.length > 10, page.length < 40, isLast], [true, true, false]);
    deepEqual(
      namesOf((await read(client, { limit: 200 })).facts),
      facts.map(({ usageId }) => usageId),
    );
  });

  test('refuses a cursor of a log that was restored, and what is no cursor', async () => {
    const { client, run } = await ledgerWith(aFact(), aFact());
    const { next } = await read(client);
    await run(`UPDATE fact_log SET usage_ids = array_fill('gen-other/1/1'::text, ARRAY[facts])`);
    await rejects(client.readFacts({ after: next, limit: 1 }), { code: 'not_found' });
    await run('DELETE FROM fact_log');
    await rejects(client.readFacts({ after: next, limit: 1 }), { code: 'not_found' });
    for (const after of ['0/1/a', '1/0/a', '1/1/', '1/1', 'a', '1/1/a b', `${'9'.repeat(19)}/1/a`])
      await rejects(client.readFacts({ after, limit: 1 }), { code: 'invalid_request' }, after);
    for (const limit of [0, -1, 201])
      await rejects(client.readFacts({ after: '', limit }), { code: 'invalid_request' });
  });

  test('is closed to the questions of accounts', async () => {
    const { database } = await ledgerWith(aFact());
    const text = 'SELECT FROM fact_log';
    await rejects(database.forAccount('acct_1').query({ name: 'log', text, values: [] }), {
      sqlState: '42501',
    });
  });

  test('is made of what was counted before there was one', async () => {
    const [estimate, fact] = [anEstimate(), aFact()];
    const { client, correct, run, database } = await ledgerWith(estimate, fact);
    await correct(estimate);
    const { facts } = await read(client);
    await run('DROP TABLE fact_log');
    const file = new URL('./migrations/0028_fact_log.sql', import.meta.url);
    const statements = await readFile(file, 'utf8');
    await database.transaction((transaction) =>
      transaction.query({ text: statements, values: [] }),
    );
    deepEqual((await read(client)).facts.map(jsonOf), facts.map(jsonOf));
  });

  test('is verified: an entry that is missing or twice is found', async () => {
    const { database, run } = await ledgerWith(aFact(), aFact());
    const differing = async () => {
      const { schema } = database;
      const { results } = await verifyLedger({ postgresUrl: inject('postgresUrl'), schema });
      return results.filter((one) => one.differing > 0n).map((one) => [one.check, one.differing]);
    };
    deepEqual(await differing(), []);
    await run(`UPDATE fact_log
      SET usage_ids = array_fill((SELECT min(usage_id) FROM usage_facts), ARRAY[facts])`);
    deepEqual(await differing(), [['fact log', 2n]]);
  });
});
