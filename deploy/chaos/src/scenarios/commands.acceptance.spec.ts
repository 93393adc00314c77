import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { perform } from '../perform.ts';
import { commands } from './commands.ts';

const kills = 4;

describe('kills of the event store, of projectors and of PostgreSQL while commands run', () => {
  test('lose no command, double none, and leave every read model equal to its events', async () => {
    const lines: string[] = [];
    const settings = { KILLS: String(kills), SEED: '1' };
    const { findings, numbers } = await perform(commands, settings, (line) => lines.push(line));
    deepEqual(findings, []);
    equal(
      Object.values(numbers.kills).reduce((sum, count) => sum + count, 0),
      kills,
    );
    for (const type of ['IssueKey', 'ChangeKey', 'DeleteKey', 'GrantCredits'])
      ok((numbers.commands[type]?.['acknowledged'] ?? 0) > 0, `${type} was never acknowledged`);
    equal(lines.filter((line) => line.startsWith('kill ')).length, kills);
  });
});
