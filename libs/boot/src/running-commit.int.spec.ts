import { equal, match } from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'vitest';
import { runningCommit } from './running-commit.ts';

test('the running commit is the given one, or that of the checkout, or unknown', async () => {
  equal(await runningCommit({ SLUICE_COMMIT: 'abc' }), 'abc');
  match(await runningCommit({ SLUICE_COMMIT: '' }), /^[0-9a-f]{40}$/);
  equal(await runningCommit({}, tmpdir()), '');
});
