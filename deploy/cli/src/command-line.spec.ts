import { deepEqual, throws } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { parseCommandLine } from './command-line.ts';

const parse = (line: string) => parseCommandLine(line === '' ? [] : line.split(' '));

describe('the words of a command', () => {
  test('name what is to be done', () => {
    deepEqual(parse('help'), { name: 'help' });
    deepEqual(parse('projections list'), { name: 'list' });
    const projection = 'key.api_keys';
    deepEqual(parse('projections rebuild key.api_keys'), { name: 'rebuild', projection });
    deepEqual(parse('projections rebuild key.api_keys --compare'), { name: 'compare', projection });
    deepEqual(parse('projections --compare rebuild key.api_keys'), { name: 'compare', projection });
  });

  test('name what is to be done to the credits of an account', () => {
    const command = { name: 'show', accountId: 'org_1' };
    deepEqual(parse('credits show --account org_1'), { name: 'credits', command });
  });

  test('give help wherever it is asked for', () => {
    deepEqual(parse('--help'), { name: 'help' });
    deepEqual(parse('credits grant 5 --account a --help'), { name: 'help' });
    deepEqual(parse('projections rebuild -h'), { name: 'help' });
  });

  for (const [line, sentence] of [
    ['', 'There is no command.'],
    ['projection list', 'There is no command "projection".'],
    ['projections', 'projections what? list or rebuild.'],
    ['projections drop', 'There is no command projections "drop".'],
    ['projections \u001B[31m', 'There is no command projections "\\u001b[31m".'],
    ['projections list all', 'projections list takes nothing more.'],
    ['projections list --compare', 'projections list takes nothing more.'],
    ['projections rebuild', 'projections rebuild needs the name of a projection.'],
    ['projections rebuild a b', 'projections rebuild takes one projection.'],
    ['projections rebuild a --force', "Unknown option '--force'."],
    ['projections rebuild a --compare=yes', "Option '--compare' does not take an argument."],
  ] as const)
    test(`are refused when they are ${JSON.stringify(line)}`, () =>
      throws(() => parse(line), { name: 'WrongUsage', message: sentence }));
});
