import { deepEqual, equal, match } from 'node:assert/strict';
import { subjects } from '@sluice/bus';
import { writeFact } from '@sluice/usage-facts';
import { describe, test } from 'vitest';
import { aFact } from '@sluice/usage-facts/testing';
import { ledgerFixture as fixture } from '../testing/ledger-fixture.ts';

const sql = (text: string) => ({ text, values: [] });
/** The first transaction that counts a fact of the model 'away', after it has: not for what is in it. */
const failsOnce = `
  CREATE SEQUENCE away_seq;
  CREATE FUNCTION away() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF nextval('away_seq') = 1 THEN RAISE EXCEPTION 'away'; END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER away AFTER INSERT ON usage_facts
    FOR EACH ROW WHEN (NEW.model = 'away') EXECUTE FUNCTION away()`;

describe('what cannot be counted', () => {
  test('is kept as it came, once, and counted; the rest of the batch is not held up', async () => {
    const { bus, publish, until, count, database, metrics } = await fixture();
    const subject = subjects.usageRecorded('acct_1');
    await bus.publishFact(subject, 'bad-1', ['no', 'object']);
    await bus.publishFact(subject, 'bad-2', ['no', 'object']);
    await publish(aFact());
    await until(async () => (await count('usage_facts')) === 1);
    const rows = await database.query<{ raw: string; subject: string; reason: string }>(
      sql(`SELECT subject, reason, convert_from(raw, 'UTF8') AS raw FROM dead_letters`),
    );
    deepEqual(rows, [{ subject, reason: 'no JSON object', raw: '["no","object"]' }]);
    const text = await metrics();
    equal(/ledger_facts_total\{outcome="dead_letter".*\} 2\b/.test(text), true, text);
  });

  test('is of a bundle the one fact alone, as it was written; the others are counted', async () => {
    const { bus, until, count, database, watermark } = await fixture();
    const subject = subjects.usageRecorded('acct_1');
    const [first, second] = [aFact({ sequence: 1n }), aFact({ sequence: 3n })].map((fact) =>
      JSON.stringify(writeFact(fact)),
    );
    const bad = '{"replica":"routing-0", "epoch":"1","sequence":"2","costNanoUsd":"9e99"}';
    const worse = '{"costNanoUsd":1.00000000000000000001}';
    const text = `{"facts":[${String(first)},${bad},${worse},${String(second)}]}`;
    await bus.publishFact(subject, 'bundle-1', Buffer.from(text));
    await bus.publishFact(subject, 'bundle-2', Buffer.from('{"facts":[{]}'));
    await until(async () => (await count('dead_letters')) === 3);
    equal(await count('usage_facts'), 2);
    equal(await watermark(), 1n);
    const rows = await database.query<{ raw: string; message_id: string }>(
      sql(`SELECT message_id, convert_from(raw, 'UTF8') AS raw FROM dead_letters ORDER BY raw`),
    );
    deepEqual(rows, [
      { message_id: 'bundle-1', raw: worse },
      { message_id: 'bundle-2', raw: '{"facts":[{]}' },
      { message_id: 'bundle-1', raw: bad },
    ]);
  });

  test('is also a second fact of the same id with another cost: the first one stays', async () => {
    const { publish, keyUsage, until, count } = await fixture();
    const fact = aFact({ costNanoUsd: 1n });
    await publish(fact);
    await until(async () => (await count('usage_facts')) === 1);
    await publish({ ...fact, costNanoUsd: 2n });
    await until(async () => (await count('dead_letters')) === 1);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 1n);
  });

  test.each(['usage_facts', 'activity'])('is what %s refuses, and only that', async (table) => {
    const { database, publishBundle, until, count, watermark } = await fixture();
    await database.query(sql(`ALTER TABLE ${table} ADD CHECK (model <> 'refused')`));
    const facts = Array.from({ length: 9 }, (_, index) =>
      aFact({ sequence: BigInt(index + 1), model: index === 4 ? 'refused' : 'sim/small' }),
    );
    await publishBundle(facts);
    await until(async () => (await watermark()) === 9n);
    equal(await count('usage_facts'), 8);
    equal(await count(`dead_letters WHERE reason LIKE '%23514%'`), 1);
  });

  test('is half of a bundle that is counted in part, and comes again as a whole: each once', async () => {
    const { database, publish, publishBundle, keyUsage, until, count, watermark, metrics } =
      await fixture();
    const known = [aFact({ sequence: 13n }), aFact({ sequence: 14n })];
    await publish(...known);
    await until(async () => (await count('usage_facts')) === 2);
    await database.query(sql(`ALTER TABLE usage_facts ADD CHECK (model <> 'refused')`));
    await database.query(sql(failsOnce));
    const changes = [
      { model: 'refused' },
      { costNanoUsd: -1n },
      { usageId: known[0]?.usageId ?? '', costNanoUsd: 7n },
      { model: 'refused' },
      { usageId: known[1]?.usageId ?? '', costNanoUsd: 7n },
      { costNanoUsd: -2n },
    ];
    const good = changes.map((_, index) => aFact(index === 5 ? { model: 'away' } : {}));
    const facts = changes.flatMap((change, index) => [good[index] ?? aFact(), aFact(change)]);
    const numbered = facts.map((fact, index) => ({ ...fact, sequence: BigInt(index + 1) }));
    await publishBundle(numbered);
    await until(async () => (await watermark()) === 14n);
    equal(await count('usage_facts'), 8);
    equal(await count('dead_letters'), 6);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 8_000n);
    // The first time the rest was not counted, and what was counted by then came a second time.
    equal(await count('away_seq WHERE last_value > 1'), 1);
    match(await metrics(), /ledger_facts_total\{outcome="duplicate".*\} [1-9]/);
    await publishBundle(numbered.toReversed());
    await publish(aFact({ sequence: 15n }));
    await until(async () => (await count('usage_facts')) === 9);
    equal(await count('dead_letters'), 6);
    equal((await keyUsage())?.credits?.lifetimeNanoUsd, 9_000n);
  });

  test('is not what comes while the database is at fault: it waits and is counted', async () => {
    let failures = 0;
    const { database, publish, until, count } = await fixture({
      bus: (memory) => ({
        ...memory,
        consume: (options) =>
          memory.consume({
            ...options,
            handle: (messages) =>
              options.handle(messages).catch((error: unknown) => {
                failures++;
                throw error;
              }),
          }),
      }),
    });
    await database.query(sql('ALTER TABLE counters RENAME TO away'));
    await publish(aFact());
    await until(async () => failures > 0);
    await database.query(sql('ALTER TABLE away RENAME TO counters'));
    await until(async () => (await count('usage_facts')) === 1);
    equal(await count('dead_letters'), 0);
  });
});
