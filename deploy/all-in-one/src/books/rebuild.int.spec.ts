import { deepEqual, equal, match, notDeepEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@sluice/patience';
import { bareEnvironment } from '@sluice/testing/bare-environment';
import { describe, test } from 'vitest';
import { accountId, compare, failuresOf, verify } from './testing/compare.ts';
import { randomOf, someFacts } from './testing/some-facts.ts';
import { books, type Books, now, token } from './testing/world.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, '../../../cli/src/main.ts');
const sql = (text: string) => ({ text, values: [] });
const dayMs = 86_400_000;
/** Each begins anew or goes on, which takes its time. */
const killsMax = 15;

/** Publishes failed requests of some days, and counts those of days whose facts are kept no more. */
async function failSome(world: Books): Promise<void> {
  await world.publishFailures(
    [0, 1, 20].map((daysAgo) => new Date(now.getTime() - daysAgo * dayMs)),
  );
  await until(async () => (await failuresOf(world)) === 3);
  // The service has counted these when they were new.
  for (const [table, daysAgo] of [
    ['usage_hour', 40],
    ['usage_day', 40],
    ['usage_day_model', 40],
    ['usage_day', 200],
    ['usage_day_model', 200],
  ] as const) {
    const bucket = table === 'usage_hour' ? 'hour' : 'day';
    const at = `date_trunc('${bucket}', timestamptz '${now.toISOString()}' - interval '${daysAgo} days', 'UTC')`;
    const month = `date_trunc('month', ${at}, 'UTC')`;
    await world.tables.query(
      sql(`SELECT ensure_partition('${table}', ${month}, ${month} + interval '1 month')`),
    );
    const refs = {
      usage_hour: 'model_ref, place_ref, call_ref, end_user_ref',
      usage_day: 'model_ref, place_ref',
    };
    const ofTable = table === 'usage_day_model' ? 'model_ref' : refs[table];
    const counts = table === 'usage_hour' ? 'failed_requests, facts' : 'failed_requests';
    await world.tables.query(
      sql(`INSERT INTO ${table} (account, at, ${ofTable}, ${counts})
        SELECT account, ${at}, ${ofTable}, ${counts.replaceAll(/\w+/g, '5')} FROM facts
        WHERE failed_requests > 0 LIMIT 1`),
    );
  }
}

describe('a rebuild of analytics', () => {
  test.each([2])(
    'that is killed at any commit gives the sums of the ledger, and what only analytics has (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      let kills = 0;
      const world = await books(() => {
        const number = random();
        if (number >= 0.25 || kills === killsMax) return undefined;
        kills += 1;
        return number < 0.12 ? 'before' : 'after';
      });
      const facts = someFacts(random, 60);
      await world.publish(facts.slice(0, 40));
      await compare(world);
      await failSome(world);
      equal(await failuresOf(world), 13);
      const { schema } = world.tables;
      await world.tables.query(
        sql(`CREATE VIEW "${schema}_v1".own AS SELECT * FROM "${schema}_v1".usage_day`),
      );
      // A disk or an operator may do that to the tables.
      await world.tables.query(
        sql(`UPDATE usage_day SET input_tokens = coalesce(input_tokens, 0) + 1, service_nano_usd = 7;
          DELETE FROM facts WHERE failed_requests IS NULL; UPDATE usage_hour SET requests = 9`),
      );
      notDeepEqual(await verify(world), []);

      kills = 0;
      let lastFacts = 40;
      await world.analytics().rebuild({ begin: true });
      for (let round = 0; round < 4; round += 1) {
        await world.publish(facts.slice(lastFacts, (lastFacts += 5)));
        await world.restartAnalytics();
      }
      await until(async () => !(await world.analytics().rebuild({ begin: false })).underWay);

      await compare(world);
      equal(await failuresOf(world), 13);
      const [own] = await world.tables.query<{ requests: bigint; credits: bigint }>(
        sql(`SELECT sum(requests)::bigint AS requests, sum(credits_nano_usd)::bigint AS credits
          FROM "${schema}_v1".own WHERE account_id = '${accountId}'`),
      );
      const { totalUsageNanoUsd } = await world.ledger.getCredits({ accountId });
      equal(own?.credits, totalUsageNanoUsd);
      await until(async () => {
        const text = `SELECT FROM pg_namespace WHERE nspname LIKE '${schema}\\_r%'`;
        return (await world.tables.query(sql(text))).length === 0;
      });
    },
  );

  test('begins with the command, which waits for its end', async () => {
    const world = await books(() => undefined);
    await world.publish(someFacts(randomOf(3), 20));
    await compare(world);
    const times = async () =>
      await world.tables.query(
        sql(`SELECT fact_id, revision, counted_at::text FROM facts
          UNION ALL SELECT fact_id, revision, counted_at::text FROM superseded ORDER BY 1, 2`),
      );
    const before = await times();
    await world.tables.query(sql('UPDATE usage_day SET requests = 77'));
    const env = {
      ...bareEnvironment,
      SLUICE_ANALYTICS_ADDRESS: world.analyticsAddress(),
      SLUICE_RPC_TOKEN: token,
    };
    const { stdout } = await run(process.execPath, [main, 'analytics', 'rebuild'], { env });
    match(stdout, /`sluice analytics verify` compares them\.\n$/);
    await compare(world);
    // Questions about the past have the answers that they had.
    deepEqual(await times(), before);
  });
});
