import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@sluice/patience';
import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { services } from './projections/known.ts';
import { sluice, sluiceProcess } from './testing/sluice.ts';
import { startWorkspaces, type Workspaces } from './testing/workspaces.ts';

const name = 'workspace.workspaces';
const names = services.flatMap(({ projections }) => projections.map((each) => each.projection));
/** A rebuild that takes some time says how far it is. */
const onlyProgress = /^(workspace\.workspaces: [^\n]* per second[^\n]*\n)*$/;
let workspaces: Workspaces;

beforeAll(async () => {
  workspaces = await startWorkspaces(inject('postgresUrl'));
  for (let number = 0; number < 20; number++) await workspaces.create();
  // Events of other streams move the checkpoint of the projection behind its last event.
  for (let number = 0; number < 6; number++) {
    const events = noise(500);
    await eventually(() => workspaces.eventStore.append('noise-1', events, 'any'));
  }
});
afterAll(() => workspaces.stop());

describe('a rebuild while another process keeps the read model and commands keep coming', () => {
  test('loses nothing, doubles nothing, and takes away nothing that could be read', async () => {
    const created = [await workspaces.create()];
    const stopping = new AbortController();
    const commands = (async () => {
      while (!stopping.signal.aborted) {
        created.push(await workspaces.create());
        const [workspaceId = ''] = created;
        await workspaces.client.getWorkspace({ accountId: 'org_1', workspaceId });
      }
    })();
    try {
      for (let rebuild = 1; rebuild <= 3; rebuild++) {
        const { code, out, error } = await sluice(['projections', 'rebuild', name], workspaces.env);
        match(error, onlyProgress);
        equal(code, 0);
        match(
          out,
          /^workspace\.workspaces is rebuilt from \d+ events in .* position \d+\/\d+\.\n$/,
        );
      }
    } finally {
      stopping.abort();
      await commands;
    }
    ok(created.length > 3);
    const compared = await sluice(['projections', 'rebuild', name, '--compare'], workspaces.env);
    match(compared.error, onlyProgress);
    deepEqual(
      [compared.code, compared.out],
      [
        0,
        `workspace.workspaces is what its events give (${created.length + 20} rows, ${created.length + 20} events).\n`,
      ],
    );
    equal((await rows()).length, created.length + 20);
  });
});

describe('a comparison', () => {
  test('shows a row that was tampered with and exits with 1, until a rebuild makes it good', async () => {
    const id = await workspaces.create();
    await workspaces.database.query({
      text: `UPDATE workspaces SET name = 'Tampered' WHERE workspace_id = $1`,
      values: [id],
    });
    const compared = await sluice(['projections', 'rebuild', '--compare', name], workspaces.env);
    equal(compared.code, 1);
    deepEqual(compared.out.split('\n').slice(0, 3), [
      `workspaces {"workspace_id": "${id}"}`,
      '  live     {"name": "Tampered"}',
      '  rebuilt  {"name": "Example"}',
    ]);
    match(compared.out, /differs from what its events give in 1 row \(/);
    equal((await sluice(['projections', 'rebuild', name], workspaces.env)).code, 0);
    const { name: after } = await workspaces.client
      .getWorkspace({ accountId: 'org_1', workspaceId: id })
      .then(({ workspace }) => workspace ?? { name: '' });
    equal(after, 'Example');
  });
});

describe('the list', () => {
  test('says where each projection is and who keeps it, also those that have not begun', async () => {
    const list = async () => {
      const { code, out, error } = await sluice(['projections', 'list'], workspaces.env);
      equal(error, '');
      equal(code, 0);
      return out.split('\n').map((line) => line.split(/ {2,}/));
    };
    // A process that finds its checkpoint moved by a rebuild takes a moment to keep the read model again, and to catch up.
    const lines = await eventually(async () => {
      const listed = await list();
      const line = listed.find(([projection]) => projection === name) ?? [];
      deepEqual([line[3], line.at(-1)], ['0', 'active']);
      return listed;
    });
    const listed = lines.map(([projection = '']) => projection);
    const known = listed.filter((each) => names.includes(each));
    deepEqual(known, names);
    // Reactions have no tables: those that have begun are known by what PostgreSQL has of them.
    const others = listed.slice(1, -1).filter((each) => !names.includes(each));
    ok(others.includes('workspace.publish_workspace_limits'));
    ok(others.every((each) => each.startsWith('workspace.')));
    deepEqual(lines[1], ['account.accounts', '1', '-', '-', '-', '-', 'not begun']);
    const [, version, position, behind, moved, rebuilds, state] = lines[listed.indexOf(name)] ?? [];
    deepEqual({ version, behind, state }, { version: '2', behind: '0', state: 'active' });
    match(position ?? '', /^\d+\/\d+$/);
    match(moved ?? '', / ago$/);
    ok(Number(rebuilds) >= 1);
  });
});

describe('the command line', () => {
  test('finds a local Sluice by what it wrote into its data directory', async () => {
    const data = join(workspaces.directory, 'data');
    await mkdir(join(data, 'run'), { recursive: true });
    const file = join(data, 'run', 'connections.json');
    const { SLUICE_POSTGRES_URL, SLUICE_EVENTSTORE_URL } = workspaces.env;
    await writeFile(
      file,
      JSON.stringify({
        postgres_url: SLUICE_POSTGRES_URL,
        eventstore_url: SLUICE_EVENTSTORE_URL,
        nats_url: 'nats://127.0.0.1:1',
      }),
    );
    const env = { SLUICE_DATA_DIR: data };
    equal((await sluiceProcess(['projections', 'list'], env)).code, 0);
    await writeFile(file, '{"postgres_url": "postgres://a:secret@b/c"');
    const broken = await sluiceProcess(['projections', 'list'], env);
    deepEqual(broken, {
      code: 1,
      out: '',
      error: `${file} is not a file that a running Sluice writes.\n`,
    });
  });

  test('says in one sentence that nothing runs', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
    const { code, error } = await sluiceProcess(['projections', 'list'], {
      SLUICE_DATA_DIR: empty,
    });
    await rm(empty, { recursive: true });
    equal(code, 1);
    match(error, /^No Sluice runs on [^\n]*: start it, [^\n]*\n$/);
  });

  test('says in one sentence which server does not answer', async () => {
    const postgres = await sluice(['projections', 'rebuild', name], {
      ...workspaces.env,
      SLUICE_POSTGRES_URL: 'postgres://nobody:a-secret@127.0.0.1:1/none',
    });
    deepEqual(postgres, {
      code: 1,
      out: '',
      error: 'PostgreSQL cannot be used now: connect ECONNREFUSED 127.0.0.1:1.\n',
    });
    const eventStore = await sluice(['projections', 'list'], {
      ...workspaces.env,
      SLUICE_EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    });
    equal(eventStore.code, 1);
    match(eventStore.error, /^The event store cannot be used now: [^\n]*\.\n$/);
    match(eventStore.out, /workspace\.workspaces +2 +\d+\/\d+ +\? /);
  });

  test('knows its commands and no others', async () => {
    const help = await sluiceProcess(['help'], {});
    equal(help.code, 0);
    match(help.out, /^Usage: sluice /);
    const wrong = await sluiceProcess(['projections', 'forget'], {});
    equal(wrong.code, 2);
    equal(wrong.out, '');
    match(wrong.error, /^Unknown command "forget"\.\nsluice --help lists the commands/);
    const unknown = await sluiceProcess(['projections', 'rebuild', 'key.nothing'], {});
    deepEqual(unknown, {
      code: 1,
      out: '',
      error: `There is no such projection; there are ${names.join(', ')}.\n`,
    });
  });
});

async function rows() {
  return await workspaces.database.query({ text: 'SELECT * FROM workspaces', values: [] });
}

function noise(count: number) {
  return Array.from({ length: count }, () => ({
    id: crypto.randomUUID(),
    type: 'Noise',
    data: {},
    metadata: {
      schemaVersion: 1,
      occurredAt: '2026-01-02T03:04:05.678Z',
      commandId: 'c',
      actor: { type: 'system' as const, id: 'spec' },
      requestId: 'r',
      $correlationId: 'r',
      $causationId: 'c',
    },
  }));
}
