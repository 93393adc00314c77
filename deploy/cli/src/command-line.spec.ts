import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from './command-line.ts';

const parse = (line: string) => parseCommandLine(line === '' ? [] : line.split(' '));

describe('the words of a command', () => {
  test('name what is to be done to a projection', () => {
    const projection = 'key.api_keys';
    deepEqual(parse('projections list'), { name: 'projections', command: { name: 'list' } });
    deepEqual(parse('projections rebuild key.api_keys'), {
      name: 'projections',
      command: { name: 'rebuild', projection },
    });
    deepEqual(parse('projections rebuild --compare key.api_keys'), {
      name: 'projections',
      command: { name: 'compare', projection },
    });
  });

  test('name the event that a projection is to leave out, and why', () => {
    deepEqual(parse('projections skip an-event --reason broken'), {
      name: 'projections',
      command: { name: 'skip', eventId: 'an-event', reason: 'broken' },
    });
  });

  test('name what is to be done to the credits of an account', () => {
    const command = { name: 'show', accountId: 'org_1' };
    deepEqual(parse('credits show --account org_1'), { name: 'credits', command });
  });

  test('name what the operator does with keys, accounts and members', () => {
    const common = { accountId: undefined, json: false };
    const hash = 'abcdef01';
    deepEqual(parse(`keys revoke ${hash.toUpperCase()}`), {
      name: 'operator-key',
      command: { name: 'revoke', hash, ...common },
    });
    deepEqual(parse('keys list-management --offset 100 --account org_1 --json'), {
      name: 'operator-key',
      command: { name: 'list', offset: 100, accountId: 'org_1', json: true },
    });
    deepEqual(parse('accounts list'), {
      name: 'accounts',
      command: { name: 'list', offset: 0, limit: 100, json: false },
    });
    deepEqual(parse('accounts allow alignment --account org_1'), {
      name: 'accounts',
      command: {
        name: 'entitle',
        feature: 'alignment',
        isEnabled: true,
        accountId: 'org_1',
        json: false,
      },
    });
    deepEqual(parse('members role user_1 admin'), {
      name: 'members',
      command: { name: 'role', userId: 'user_1', role: 'admin', ...common },
    });
  });

  test('give help wherever it is asked for', () => {
    const help = (line: string) => {
      const command = parse(line);
      equal(command.name, 'help');
      return command.name === 'help' ? command.text : '';
    };
    match(help('--help'), /^Usage: sluice <command>[^]*\n {2}workspaces /);
    match(help('help'), /^Usage: sluice <command>/);
    match(help('credits grant 5 --account a --help'), /^Usage: sluice credits grant [^]*--reason/);
    match(
      help('keys create -h'),
      /--limit-reset <text>[^]*Example:\n {2}sluice keys create --name /,
    );
    match(help('workspaces budgets set -h'), /<workspace-ref> <interval>/);
  });

  for (const [line, sentence] of [
    ['', 'sluice what? One of responses, embeddings, rerank, chat, '],
    ['projection list', 'Unknown command "projection". (Did you mean projections?)'],
    ['projections', 'sluice projections what? One of list, rebuild, skip.'],
    ['projections drop', 'Unknown command "drop"'],
    ['projections \u001B[31m', 'Unknown command "\\u001b[31m"'],
    ['projections list all', 'Too many arguments'],
    ['projections list --compare', 'Unknown option "--compare"'],
    ['projections rebuild', 'Missing required argument "name".'],
    ['projections rebuild a b', 'Too many arguments'],
    ['projections rebuild a --force', 'Unknown option "--force"'],
    ['projections skip --reason broken', 'Missing required argument "event".'],
    ['projections skip e', 'Required option "--reason <text>" not specified'],
    ['projections skip e --reason=', '--reason is a text of 1 to 500 characters.'],
    ['keys revoke', 'Missing required argument "hash".'],
    ['keys revoke abc', '"abc" is neither a hash nor its first 8 characters or more.'],
    ['keys disable mk-sluice-v1-abc', '"mk-sluice-v1-abc" is neither a hash'],
    ['keys list-management --offset -1', '--offset "-1" is no whole number from 0.'],
    ['accounts list --limit many', '--limit "many" is no whole number from 0.'],
    ['accounts forbid everything', 'Command-argument value "everything" is invalid'],
    ['members role user_1 owner', 'Command-argument value "owner" is invalid'],
    ['workspaces budgets', 'sluice workspaces budgets what? One of list, show, set, delete.'],
  ] as const)
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(
        () => parse(line),
        (error: Error) =>
          error.name === 'WrongUsage' && error.message.replace('" (', '". (').startsWith(sentence),
      ));
});
