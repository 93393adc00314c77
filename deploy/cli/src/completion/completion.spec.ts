import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { parseCommandLine } from '../command-line.ts';
import { knownApiCommands } from '../api-commands/known.ts';
import { shells } from './scripts.ts';

const commands = knownApiCommands.map(({ words }) => {
  const all = words.split(' ');
  return { group: all.slice(0, -1), name: all.at(-1) ?? '' };
});

function scriptOf(shell: string): string {
  const command = parseCommandLine(['completion', shell]);
  ok(command.name === 'help');
  return command.text;
}

/** Returns the words that bash offers behind these. The last word is being typed. */
function offered(...lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const quoted = (word: string) => `'${word}'`;
  const asks = lines.map(
    (words) =>
      `COMP_WORDS=(sluice ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}; ` +
      'COMPREPLY=(); _sluice; echo "${COMPREPLY[*]}"',
  );
  const program = [scriptOf('bash'), ...asks].join('\n');
  const out = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' });
  return out
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

describe('the completion of bash', () => {
  test('offers what may follow, by what has been typed of it', () => {
    deepEqual(
      offered(['work'], ['keys', 'cr'], ['workspaces', 'b'], ['workspaces', 'budgets', 'se']),
      [['workspaces'], ['create', 'create-management'], ['budgets'], ['set']],
    );
    deepEqual(offered(['keys', 'create', '--limit-']), [['--limit-reset']]);
    deepEqual(offered(['completion', '--h']), [['--help']]);
  });

  test('is not misled by values of options and arguments', () => {
    deepEqual(
      offered(
        ['keys', 'create', '--name', 'list', '--exp'],
        ['keys', 'update', 'keys', '--disa'],
        ['nothing', 'li'],
      ),
      [['--expires-at'], ['--disabled'], []],
    );
  });

  test('knows each command for the API', () => {
    const answers = offered(...commands.map(({ group }) => [...group, '']));
    for (const [index, { group, name }] of commands.entries())
      ok(
        answers[index]?.includes(name),
        `${group.join(' ')} ${name}: ${answers[index]?.join(' ')}`,
      );
  });
});

describe('the completion of other shells', () => {
  test.each(shells)('%s is told of the same commands', (shell) => {
    const script = scriptOf(shell);
    for (const { group, name } of commands) {
      ok(script.includes(`'${group.join(' ')}'`), group.join(' '));
      match(script, new RegExp(`[ '(]${name}[ ')]`));
    }
    equal(script.includes('undefined'), false);
  });
});
