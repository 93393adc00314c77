import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCountedFacts } from '@sluice/usage-facts';
import { aByokFact, aFact, anEstimate } from '@sluice/usage-facts/testing';
import { describe, inject, onTestFinished, test } from 'vitest';
import { replayUsage } from '../administration/replay-usage.ts';
import { ledgerFixture } from '../testing/ledger-fixture.ts';
import { verifyLedger } from '../verification/verify-ledger.ts';
import type { ArchivedDay } from './archive-day.ts';
import { archiveFacts } from './archive-facts.ts';

const served = {
  upstreamId: 'resp_true',
  inputTokens: 10n,
  cachedTokens: 0n,
  outputTokens: 90n,
  reasoningTokens: 0n,
  isFree: false,
};
const on = (day: string) => ({
  admittedAt: `${day}T12:00:00.123Z`,
  completedAt: `${day}T12:00:01.500Z`,
});
const before = new Date('2026-11-19T08:00:00Z');

/** The id of a generation of 17 November. */
const generationId = 'gen-01a1e960-d600-7abc-8123-0123456789ab';

/** A ledger with three days of facts of every kind, and a folder for archives. */
async function aLedger() {
  const fixture = await ledgerFixture();
  const { client, database, publish, publishCredit, until, count } = fixture;
  const folder = await mkdtemp(join(tmpdir(), 'sluice-archive-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await publishCredit('c-1', 'purchase', 50_000n);
  const first = aFact({
    ...on('2026-11-17'),
    usageId: `${generationId}/1/1`,
    generationId,
    guardrailScopes: ['g1:key:key1'],
  });
  const corrected = anEstimate(on('2026-11-18'));
  await publish(
    first,
    aFact({
      ...on('2026-11-17'),
      routing: '{"text": "a \\"quoted\\" line\\nand an emoji 🙂"}',
      specialTokens: { inputMedia: '3' },
      leaseNumbers: [7n, 8n],
      leaseEpoch: 1n,
    }),
    aByokFact(on('2026-11-18')),
    corrected,
    aFact(on('2026-11-20')),
  );
  await until(async () => (await count('usage_facts')) + (await count('credits')) === 6);
  const { accountId, usageId } = corrected;
  await client.correctUsage({ accountId, usageId, ...served });
  await until(async () => (await count('corrections WHERE published_at IS NOT NULL')) === 1);
  const where = { postgresUrl: inject('postgresUrl'), schema: database.schema };
  const archive = async (options: { to?: Date; isConfirmed?: boolean } = {}) => {
    const days: ArchivedDay[] = [];
    const { to = before, isConfirmed = true } = options;
    const listed = await archiveFacts({
      ...where,
      folder,
      before: to,
      isConfirmed,
      onDay: (day) => days.push(day),
    });
    return { days, listed };
  };
  const verify = async (options: { archive?: string; day?: string } = { archive: folder }) => {
    const { facts, differences } = await verifyLedger({ ...where, ...options });
    deepEqual(differences, []);
    return facts;
  };
  /** Waits until so many facts and credits are counted, and so many facts were there already. */
  const settled = async (facts: number, duplicates: number) => {
    const line = (outcome: string, value: number) =>
      new RegExp(`ledger_facts_total\\{[^}]*outcome="${outcome}"[^}]*\\} ${value}\\n`);
    await until(async () => {
      const metrics = await fixture.metrics();
      return line('counted', facts).test(metrics) && line('duplicate', duplicates).test(metrics);
    });
  };
  return { ...fixture, folder, first, corrected, where, archive, verify, settled };
}

describe('archived facts', () => {
  test('are in files and no longer in the tables, and a verification reads them', async () => {
    const { archive, verify, count, folder } = await aLedger();
    equal(await verify({}), 5n);
    const asked = await archive({ isConfirmed: false });
    deepEqual([asked.listed, asked.days], [['2026-11-17', '2026-11-18'], []]);
    equal(await count('usage_facts'), 5);
    const { days } = await archive();
    deepEqual(
      days.map((day) => [day.kind, day.day, day.kind === 'archived' && day.facts]),
      [
        ['archived', '2026-11-17', 2n],
        ['archived', '2026-11-18', 2n],
      ],
    );
    deepEqual((await readdir(folder)).toSorted(), [
      'sluice-ledger-2026-11-17.jsonl.gz',
      'sluice-ledger-2026-11-18.jsonl.gz',
    ]);
    equal(await count('usage_facts'), 1);
    equal(await count('estimates'), 0);
    equal(await count('corrections'), 0);
    equal(await count(`transfers WHERE entry_kind <> 'credit'`), 1);
    equal(await verify(), 5n);
    deepEqual((await archive()).listed, []);
  });

  test('that are changed in a file, missing or not named are told', async () => {
    const { archive, verify, folder } = await aLedger();
    await archive();
    await rejects(verify({}), { name: 'ArchiveUnreadable', message: /name their folder/ });
    const path = join(folder, 'sluice-ledger-2026-11-17.jsonl.gz');
    await appendFile(path, 'x');
    await rejects(verify(), { name: 'ArchiveUnreadable', message: /2026-11-17 is damaged/ });
    await rm(path);
    await rejects(verify(), { name: 'ArchiveUnreadable', message: /2026-11-17 is missing/ });
    equal(await verify({ archive: folder, day: '2026-11-18' }), 2n);
  });

  test('are counted no second time, and a fact that comes late is counted and archived', async () => {
    const { archive, verify, publish, settled, count, client, first, folder } = await aLedger();
    await archive();
    const late = aFact(on('2026-11-17'));
    await publish(first, late, late, first);
    await settled(7, 3);
    equal(await count('usage_facts'), 2);
    equal((await client.getCredits({ accountId: 'acct_1' })).totalUsageNanoUsd > 0n, true);
    equal(await verify(), 6n);
    const { days } = await archive();
    deepEqual(
      days.map((day) => day.kind === 'archived' && day.file),
      ['sluice-ledger-2026-11-17-2.jsonl.gz'],
    );
    equal(await verify({ archive: folder, day: '2026-11-17' }), 3n);
    equal(await verify(), 6n);
    await publish(late, first);
    await settled(7, 5);
    equal(await count('usage_facts'), 1);
  });

  test('are left out where the ledger reads out what it counted', async () => {
    const { archive, client } = await aLedger();
    const read = async () => {
      const ids: string[] = [];
      for await (const { facts } of readCountedFacts(client, { after: '', limit: 2 }))
        for (const one of facts)
          ids.push(one.kind === 'recorded' ? one.fact.admittedAt.slice(0, 10) : one.kind);
      return ids;
    };
    const all = await read();
    equal(all.length, 6);
    await archive();
    deepEqual(await read(), ['2026-11-20']);
    const { names, isLast } = await client.listCountedNames({ after: '', limit: 10 });
    deepEqual([names.map(({ day }) => day), isLast], [['2026-11-20'], true]);
  });

  test('are named where an answer needs them', async () => {
    const { archive, client, where } = await aLedger();
    const accountId = 'acct_1';
    const days = { accountId, fromDay: '2026-11-18', toDay: '2026-11-20' };
    const replay = (from: string) =>
      replayUsage({ ...where, from: new Date(from), onFacts: () => undefined });
    await client.getConservationProof(days);
    ok((await client.getGeneration({ accountId, generationId })).generation);
    equal(await replay('2026-11-17'), 5);
    await archive();
    const archived = /days before 2026-11-19 is archived/;
    const ask = { accountId, generationId };
    await rejects(client.getGeneration(ask), { code: 'not_found', message: archived });
    const younger = { accountId, generationId: generationId.replace('gen-01a1', 'gen-01a2') };
    await rejects(client.getGeneration(younger), {
      code: 'not_found',
      message: /^(?!.*archived)/,
    });
    const refused = { code: 'invalid_request' };
    await rejects(client.getConservationProof(days), refused);
    await rejects(client.getCredits({ accountId, at: '2026-11-18T00:00:00Z' }), refused);
    const past = { accountId, keyHashes: ['key1'], at: '2026-11-18T00:00:00Z' };
    await rejects(client.getKeyUsage({ ...past, asOf: true }), refused);
    await rejects(
      client.getBudgetProof({ accountId, scopeId: accountId, at: '2026-11-18T00:00:00Z' }),
      refused,
    );
    await rejects(replay('2026-11-18'), {
      name: 'FactsArchived',
      message: archived,
    });
    equal(await replay('2026-11-19'), 1);
    await client.getConservationProof({ ...days, fromDay: '2026-11-19' });
    ok(
      (await client.getCredits({ accountId, at: new Date().toISOString() })).totalUsageNanoUsd > 0n,
    );
  });
});

describe('a day', () => {
  test('waits for its suspense, and the others do not', async () => {
    const { archive, publish, until, count, verify } = await aLedger();
    await publish(anEstimate(on('2026-11-17')));
    await until(async () => (await count('usage_facts')) === 6);
    const { days } = await archive();
    deepEqual(
      days.map((day) => [day.kind, day.day, day.kind === 'held' && day.reason]),
      [
        ['held', '2026-11-17', 'estimates in suspense: 1'],
        ['archived', '2026-11-18', false],
      ],
    );
    equal(await verify(), 6n);
  });

  test('with a partition of its own is dropped with it, and so is one without facts', async () => {
    const { archive, publish, until, count, verify, database } = await aLedger();
    const run = (text: string) => database.query({ text, values: [] });
    for (const [from, to] of [
      ['2199-05-01', '2199-05-02'],
      ['2199-05-02', '2199-05-03'],
      ['2199-05-03', '2199-06-01'],
    ])
      await run(`SELECT make_facts_partition('${from}', '${to}')`);
    await publish(aFact(on('2199-05-01')), aFact(on('2199-05-04')), aFact(on('2199-05-20')));
    await until(async () => (await count('usage_facts')) === 8);
    const partitions = () => count(`pg_inherits WHERE inhparent = 'usage_facts'::regclass`);
    equal(await partitions(), 5);
    await archive({ to: new Date('2199-05-10') });
    equal(await partitions(), 2);
    equal(await count('usage_facts'), 1);
    equal(await verify(), 8n);
    await archive({ to: new Date('2199-06-10') });
    equal(await partitions(), 1);
    equal(await verify(), 8n);
  });

  test('is verified alone, with all that its facts give', async () => {
    const { verify, where, database } = await aLedger();
    equal(await verify({ day: '2026-11-18' }), 2n);
    equal(await verify({ day: '2026-11-19' }), 0n);
    const differing = async (day: string) =>
      (await verifyLedger({ ...where, day })).results
        .filter((one) => one.differing > 0n)
        .map(({ check }) => check);
    await database.query({
      text: `UPDATE usage_facts SET cost_nano_usd = cost_nano_usd + 1, upstream_cost_nano_usd = NULL
        WHERE admitted_at < '2026-11-18'`,
      values: [],
    });
    deepEqual(await differing('2026-11-17'), ['counters', 'activity', 'transfers']);
    deepEqual(await differing('2026-11-18'), []);
  });
});
