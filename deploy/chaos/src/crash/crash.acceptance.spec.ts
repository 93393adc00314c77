import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { crashTest } from './crash-test.ts';

const kills = 6;
const timeoutMs = 240_000;

describe('kills of the event store, of projectors and of PostgreSQL while commands run', () => {
  test(
    'lose no command, double none, and leave every read model equal to its events',
    async () => {
      const lines: string[] = [];
      const onProgress = (line: string) => lines.push(line);
      const result = await crashTest({ kills, seed: 1, onProgress });
      deepEqual(result.findings, []);
      equal(
        Object.values(result.kills).reduce((sum, count) => sum + count, 0),
        kills,
      );
      for (const type of ['IssueKey', 'ChangeKey', 'DeleteKey', 'GrantCredits'])
        ok((result.commands[type]?.['acknowledged'] ?? 0) > 0, `${type} was never acknowledged`);
      equal(lines.filter((line) => line.startsWith('kill ')).length, kills);
    },
    timeoutMs,
  );
});
