import { equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres } from '@sluice/embedded';
import { eventually } from '@sluice/patience';
import { openDatabase } from '@sluice/read-model';
import { onTestFinished, test } from 'vitest';
import { json, manage, text } from './http.ts';
import { startInstance } from './instance.ts';

const startMs = 600_000;

test(
  'a PostgreSQL that is read-only degrades Sluice with the reason, and Sluice heals by itself',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sluice-read-only-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const postgres = await startPostgres({
      directory,
      port: await freePort(),
      onLog: () => undefined,
    });
    onTestFinished(() => postgres.stop());
    const sluice = await startInstance({ SLUICE_POSTGRES_URL: postgres.url });
    onTestFinished(() => sluice.dispose());
    const setReadOnly = async (value: 'on' | 'off') => {
      const administrator = openDatabase({
        url: postgres.url,
        schema: 'public',
        connectionsMax: 1,
      });
      const run = (statement: string) => administrator.query({ text: statement, values: [] });
      await run(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await run('SELECT pg_reload_conf()');
      await administrator.stop();
    };
    const readiness = async () => await (await fetch(`${sluice.adminUrl}/readyz`)).text();
    // The refusals of a busy machine are none of those that are tested.
    const patient = { ...sluice, isShared: true } as const;
    const made = await manage(patient, '/keys', { body: { name: 'limited', limit: 1 } });
    const key = text(made.body['key']);
    const hash = text(made.body['data']?.['hash']);
    const infer = () =>
      json(sluice, '/responses', { key, body: { model: 'sim/echo', input: 'x' } });
    const rename = (name: string) =>
      manage(sluice, `/keys/${hash}`, { method: 'PATCH', body: { name } });

    await setReadOnly('on');
    // Each service notices it with its own next write.
    for (const service of ['ledger', 'key'])
      await eventually(async () =>
        match(await readiness(), new RegExp(`PostgreSQL is read-only: ${service} cannot write`)),
      );
    match(await readiness(), /"status":"degraded"/);
    for (const refused of [await infer(), await rename('Refused')]) {
      equal(refused.status, 503, JSON.stringify(refused.body));
      ok(Number(refused.headers.get('retry-after')) > 0);
      match(JSON.stringify(refused.body), /"(?:code|error_type|type)":/);
    }
    equal((await manage(patient, `/keys/${hash}`)).status, 200);

    await setReadOnly('off');
    await eventually(async () => equal((await infer()).status, 200));
    await eventually(async () => equal((await rename('Renamed')).status, 200));
    await eventually(async () => match(await readiness(), /"status":"ready"/));
  },
  startMs,
);
