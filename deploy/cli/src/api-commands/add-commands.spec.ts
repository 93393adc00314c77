import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import type { Call } from '../api/request.ts';
import { knownApiCommands } from './known.ts';

function parse(...words: readonly string[]): Call {
  const command = parseCommandLine(words);
  if (command.name === 'analytics' || command.name === 'analytics-export')
    return command.command.call;
  ok(command.name === 'call');
  return command.command;
}

describe('a command for an operation of the API', () => {
  test('is one request: its arguments in the path, its options in the body', () => {
    deepEqual(
      parse(
        'keys',
        'update',
        'a/b',
        '--limit',
        '2.5',
        '--disabled',
        'true',
        '--limit-reset',
        'none',
      ),
      {
        method: 'PATCH',
        path: '/keys/a%2Fb',
        query: {},
        body: { limit: 2.5, disabled: true, limit_reset: null },
        files: [],
        columns: [],
        json: false,
      },
    );
  });

  test('that reads has its options in the query, as they were typed', () => {
    const { path, query, body, json } = parse('keys', 'list', '--offset', '100', '--json');
    deepEqual(
      { path, query, body, json },
      {
        path: '/keys',
        query: { offset: '100' },
        body: undefined,
        json: true,
      },
    );
  });

  test('takes several things of a kind', () => {
    const { path, body } = parse('workspaces', 'members', 'add', 'research', 'user_1', 'user_2');
    deepEqual(
      { path, body },
      {
        path: '/workspaces/research/members/add',
        body: { user_ids: ['user_1', 'user_2'] },
      },
    );
    const { body: listed } = parse('byok', 'update', 'x', '--allowed-models', 'a,b');
    deepEqual(listed, { allowed_models: ['a', 'b'] });
    const { body: phrases } = parse(
      'guardrails',
      'allowed-phrases',
      'set',
      '--phrases',
      '["a, b"]',
    );
    deepEqual(phrases, { phrases: ['a, b'] });
  });

  test('chooses how the filters of a guardrail are applied, or takes the choice away', () => {
    const words = ['--scan-output', 'sentence', '--fail-mode', 'none'];
    const { body } = parse('guardrails', 'update', 'g', ...words);
    deepEqual(body, { scan_output: 'sentence', fail_mode: null });
  });

  test('names a model as it is written, and nothing but a model', () => {
    const { path, rows } = parse('models', 'endpoints', 'a/b:free?x=1/../..#');
    equal(path, '/models/a/b%3Afree%3Fx%3D1/../..%23/endpoints');
    equal(rows, 'endpoints');
    equal(parse('models', 'get', '~a/b-latest').path, '/model/~a/b-latest');
  });

  test('asks for a part of a list as the API names it', () => {
    const words = ['--sort', 'newest', '--min-coding-index', '40', '--zdr', 'true'];
    const { path, query } = parse('models', 'list', ...words);
    deepEqual([path, query], ['/models', { sort: 'newest', min_coding_index: '40', zdr: 'true' }]);
  });

  test('is its group alone where there is nothing else to do', () => {
    const { path, json } = parse('providers', '--json');
    deepEqual([path, json], ['/providers', true]);
  });

  test('takes a secret from a file and never from the words', () => {
    const { body, files } = parse('byok', 'create', '--provider', 'openai', '--key-file', '-');
    deepEqual(body, { provider: 'openai' });
    deepEqual(files, [{ field: 'key', path: '-', kind: 'secret' }]);
    const partner = parse('keys', 'create', '--name', 'x', '--external-file', 'a.json');
    deepEqual(partner.files, [{ field: 'external', path: 'a.json', kind: 'json' }]);
    const tested = parse('guardrails', 'test', 'g', '--file', 'a.txt', '--role', 'tool');
    deepEqual(tested.files, [{ field: 'text', path: 'a.txt', kind: 'text' }]);
    deepEqual(tested.body, { role: 'tool' });
  });

  test('takes the required fields from a file as well', () => {
    const { body, files } = parse('keys', 'create', '--body-file', 'key.json', '--limit', '5');
    deepEqual([body, files], [{ limit: 5 }, [{ path: 'key.json', kind: 'body' }]]);
  });

  test('asks a model for nothing but a text where the text is none', () => {
    const { body } = parse('responses', 'create', '--model', 'sim/echo', '--input', 'none');
    deepEqual(body, { model: 'sim/echo', input: 'none' });
  });

  test.each([
    [['keys', 'update', 'h', '--limit', 'much'], '--limit "much" is no number.'],
    [['keys', 'update', 'h', '--limit', '1e3'], '--limit "1e3" is no number.'],
    [['keys', 'update', 'h', '--disabled', 'yes'], '--disabled "yes" is neither true nor false.'],
    [['keys', 'update', 'h', '--disabled', 'none'], '--disabled "none" is neither true nor false.'],
    [['guardrails', 'update', 'g', '--content-filters', '['], '--content-filters is no JSON: '],
    [['keys', 'create'], 'Required option "--name <text>" not specified.'],
    [['keys', 'create', '--name', 'x', '--key', 'y'], 'Unknown option "--key"'],
  ])('is refused when it is %o', (words, sentence) =>
    throws(
      () => parse(...words),
      (error: Error) => error.name === 'WrongUsage' && error.message.startsWith(sentence),
    ),
  );

  test('notes which of its words may be beginnings of hashes', () => {
    const hash = 'f'.repeat(64);
    deepEqual(parse('keys', 'show', 'f01d').hashes, ['f01d']);
    deepEqual(parse('keys', 'show', hash).hashes, undefined);
    deepEqual(parse('keys', 'show', 'f0').hashes, undefined);
    deepEqual(parse('workspaces', 'show', 'cafe').hashes, undefined);
    deepEqual(parse('activity', '--key', 'beef').hashes, ['beef']);
    const assigned = parse('guardrails', 'assign-keys', 'cafe', 'beef', hash);
    deepEqual(assigned.hashes, ['beef']);
    const { hashes } = parse('byok', 'update', 'x', '--allowed-keys', `cafe,${hash},beef`);
    deepEqual(hashes, ['cafe', 'beef']);
  });

  test('takes the API key where it infers, and the management key elsewhere', () => {
    equal(parse('responses', 'create', '--model', 'm', '--input', 'i').key, 'api');
    equal(parse('models', 'usable').key, 'api');
    equal(parse('keys', 'list').key, undefined);
  });

  test('has words of its own, and flags of its own', () => {
    const words = knownApiCommands.map((command) => command.words);
    equal(new Set(words).size, words.length);
    const reserved = ['--json', '--body-file', '--help'];
    const doubled = knownApiCommands.filter(({ options }) => {
      const flags = [...reserved, ...options.map(({ flag }) => flag)];
      return new Set(flags).size < flags.length;
    });
    deepEqual(doubled, []);
  });

  test('shows an example, which it accepts', () => {
    for (const { words } of knownApiCommands) {
      const help = parseCommandLine([...words.split(' '), '--help']);
      ok(help.name === 'help');
      const example = /^Example:\n {2}sluice (.+)$/m.exec(help.text)?.[1] ?? '';
      ok(example.startsWith(words), words);
      const typed = [...example.matchAll(/'((?:[^'])*)'|(\S+)/g)];
      equal(parse(...typed.map(([, quoted, bare]) => quoted ?? bare ?? '')).json, false);
    }
  });
});
