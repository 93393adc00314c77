import { deepEqual, equal, match, ok, throws } from 'node:assert/strict';
import { parse } from 'smol-toml';
import { describe, test } from 'vitest';
import { type AgentFile, agentFiles, agentNames, type Seat } from './agent-files.ts';
import { FileNotUnderstood } from './file-not-understood.ts';
import { merged } from './merge.ts';

const seat: Seat = {
  baseUrl: 'http://127.0.0.1:8080/v1',
  key: 'sk-sluice-v1-secret',
  home: '/home/ada',
  model: {
    id: 'sim/echo',
    name: 'Echo "1"',
    contextTokens: 128_000,
    outputTokensMax: 16_384,
    takesPictures: true,
    efforts: ['low', 'medium'],
  },
};

describe.each(agentNames)('the settings of %s', (agent) => {
  const files = agentFiles(agent, seat);

  test('name the model, the address and the key', () => {
    const all = files.map((file) => merged(file, undefined)).join('\n');
    for (const part of ['sim/echo', 'http://127.0.0.1:8080', seat.key])
      ok(all.includes(part), part);
  });

  test('are the same when they are written again', () => {
    for (const file of files) {
      const once = merged(file, undefined);
      equal(merged(file, once), once);
    }
  });

  test('say how large the context is, where the agent asks for it', () => {
    if (agent === 'cline') return;
    ok(
      files.some((file) => JSON.stringify(file).includes('128000')),
      agent,
    );
  });

  test('never let an agent ask for more output than the model has', () => {
    if (agent === 'codex' || agent === 'cline') return;
    ok(files.some((file) => JSON.stringify(file).includes('16384')));
  });
});

const toml: AgentFile = {
  path: '.codex/config.toml',
  form: 'toml',
  content: {
    top: { model: 'a/b', model_provider: 'sluice' },
    table: 'model_providers.sluice',
    values: { name: 'Sluice', base_url: 'http://x/v1' },
  },
};

describe('a file with other settings', () => {
  test('of TOML keeps them, and its comments', () => {
    const before = `# mine
model = "gpt-5" # the old one
approval_policy = "never"

[model_providers.sluice]
name = "Old"
env_key = "X"

[mcp_servers.docs]
command = "docs" # model = "x"
`;
    const after = merged(toml, before);
    equal(
      after,
      `model = "a/b"
model_provider = "sluice"
# mine
approval_policy = "never"

[mcp_servers.docs]
command = "docs" # model = "x"

[model_providers.sluice]
name = "Sluice"
base_url = "http://x/v1"
`,
    );
    equal(merged(toml, after), after);
  });

  test.each([
    ['a nested array', 'notify = [\n  ["a", "b"],\n]'],
    ['a text of several lines', 'prompt = """\n[table]\nmodel = 1\n"""'],
    ['an array with comments', 'notify = [ # mine\n  "a", # [b]\n]'],
    ['a quoted key', '"a model" = 1'],
    ['a dotted key', 'tui.theme = "dark"'],
  ])('of TOML keeps %s before and after ours', (_, own) => {
    const old = 'model = """\nold\n""" # theirs';
    for (const before of [`${own}\n${old}\n`, `${old}\n${own}\n\n[t]\n${own}\n`]) {
      const after = merged(toml, before);
      ok(after.includes(own), after);
      deepEqual(
        { ...parse(after), model_provider: 0, model_providers: 0 },
        {
          ...parse(before),
          model: 'a/b',
          model_provider: 0,
          model_providers: 0,
        },
      );
      equal(merged(toml, after), after);
    }
  });

  test('of TOML keeps our table of another spelling once, and its tables', () => {
    const before = `[ model_providers . "sluice" ]
name = "Old"
[model_providers.sluice.http_headers]
a = "b"
[model_providers.other]
name = "Other"
`;
    deepEqual(JSON.parse(JSON.stringify(parse(merged(toml, before))['model_providers'])), {
      sluice: { name: 'Sluice', base_url: 'http://x/v1', http_headers: { a: 'b' } },
      other: { name: 'Other' },
    });
  });

  test.each([
    'model = ',
    '[a\nb = 1',
    'a = 1\na = 2',
    'model_providers = { sluice = { name = "secret" } }',
    'model_providers.sluice.name = "secret"',
  ])('of TOML that cannot be changed safely is not: %s', (before) => {
    throws(
      () => merged(toml, before),
      (error: Error) => error instanceof FileNotUnderstood && !error.message.includes('secret'),
    );
  });

  const json: AgentFile = {
    path: '.claude/settings.json',
    form: 'json',
    content: { env: { A: '1' }, model: 'm' },
  };

  test('of JSON keeps them', () => {
    const before = '{"permissions": {"allow": ["Bash"]}, "env": {"A": "0", "B": "2"}}';
    deepEqual(JSON.parse(merged(json, before)), {
      permissions: { allow: ['Bash'] },
      env: { A: '1', B: '2' },
      model: 'm',
    });
    const odd = JSON.parse(merged(json, '{"__proto__": {"x": 1}}')) as object;
    ok(Object.keys(odd).includes('__proto__'));
  });

  test.each(['{"a": 1, // mine\n}', '[]', '"text"', '{'])('that is %s is not changed', (before) => {
    throws(
      () => merged(json, before),
      (error: Error) => error instanceof FileNotUnderstood && !error.message.includes('mine'),
    );
  });

  test('of names and values keeps the others', () => {
    const env: AgentFile = { path: '.qwen/.env', form: 'env', content: { A: '1' } };
    equal(merged(env, '# mine\nexport A=0\nB=2\n'), '# mine\nB=2\nA=1\n');
    match(merged(env, undefined), /^A=1\n$/m);
  });
});
