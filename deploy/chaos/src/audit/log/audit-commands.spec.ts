import { deepEqual, equal, match } from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { ChangeKey, Sent } from '../../load/commands/command.ts';
import { logOf, sentOf, type Written } from './testing/a-log.ts';
import { auditCommands } from './audit-commands.ts';

const stream = 'apiKey-aa';
const issued: Written = { stream, type: 'ApiKeyIssued', data: { name: 'key 1' }, commandId: 'c1' };
const renamed: Written = {
  stream,
  type: 'ApiKeyRenamed',
  data: { name: 'name 2' },
  commandId: 'c2',
};
const limited: Written = {
  stream,
  type: 'ApiKeyLimitChanged',
  data: { limitNanoUsd: '2000000' },
  commandId: 'c2',
};
const deleted: Written = { stream, type: 'ApiKeyDeleted', data: {}, commandId: 'c3' };
const granted: Written = {
  stream: 'account-a',
  type: 'CreditsGranted',
  data: { grantId: 'grant-4', amountNanoUsd: '5' },
  commandId: 'c4',
};
const log = [issued, renamed, limited, deleted, granted];

const change: ChangeKey = {
  type: 'ChangeKey',
  hash: 'aa',
  name: 'name 2',
  limitNanoUsd: 2_000_000n,
  disabled: undefined,
};
const issue = sentOf({ type: 'IssueKey', name: 'key 1' }, { hash: 'aa' });
const grant = { type: 'GrantCredits', grantId: 'grant-4', amountNanoUsd: 5n } as const;
const remove = { type: 'DeleteKey', hash: 'aa' } as const;

const findings = (sent: readonly Sent[], written: readonly Written[] = log) =>
  auditCommands(sent, logOf(written)).map(({ kind, sentence }) => `${kind}: ${sentence}`);

function finding(pattern: RegExp, sent: Sent, written: readonly Written[] = log): void {
  const found = findings([sent], written);
  equal(found.length, 1, found.join('\n'));
  match(found[0] ?? '', pattern);
}

describe('commands held against the log', () => {
  test('are all well when each acknowledged one is in it once', () => {
    deepEqual(findings([issue, sentOf(change), sentOf(remove), sentOf(grant)]), []);
  });

  test('may be missing, or there once, when its result is unknown', () => {
    const lost = sentOf({ ...change, name: 'name 9' }, { outcome: 'unknown', status: '503' });
    deepEqual(findings([lost, sentOf(change, { outcome: 'unknown' })]), []);
    finding(/^twice: .*renamed to "name 2" 2 times/, sentOf(change, { outcome: 'unknown' }), [
      issued,
      renamed,
      limited,
      ...[renamed, limited].map((event) => ({ ...event, commandId: 'c9' })),
    ]);
  });

  test('are lost when they were acknowledged and are not there', () => {
    finding(/^lost: .*issued "key 1" 0 times/, issue, []);
    finding(/^lost: .*renamed to "name 2" 0 times/, sentOf(change), [issued]);
    finding(/^lost: .*deleted aa 0 times/, sentOf(remove), [issued]);
    finding(/^lost: .*granted grant-4 0 times/, sentOf(grant), [issued]);
  });

  test('are doubled when they are there twice', () => {
    finding(/^twice: .*issued "key 1" 2 times/, issue, [issued, { ...issued, commandId: 'c9' }]);
    finding(/^twice: .*deleted aa 2 times/, sentOf(remove), [issued, deleted, deleted]);
    finding(/^twice: .*granted grant-4 2 times/, sentOf(grant), [granted, granted]);
  });

  test('are wrong when the events say something else than the command', () => {
    finding(/issued as apiKey-aa, answered bb/, { ...issue, hash: 'bb' });
    finding(/with the limits \[\], not \[2000000\]/, sentOf(change), [issued, renamed]);
    finding(/is in apiKey-bb/, sentOf(change), [
      issued,
      ...[renamed, limited].map((event) => ({ ...event, stream: 'apiKey-bb' })),
    ]);
    finding(/grants another amount/, sentOf({ ...grant, amountNanoUsd: 6n }));
    finding(/changed after it was deleted/, sentOf(remove), [issued, deleted, renamed]);
  });

  test('must be the request that was answered, when there was only one', () => {
    finding(/by another request, req-1/, sentOf(grant, { requestId: 'req-2' }));
    deepEqual(findings([sentOf(grant, { requestId: 'req-2', attempts: 2 })]), []);
  });

  test('are refused only where others were faster, and then do nothing', () => {
    const refused = { outcome: 'refused', status: '409' } as const;
    deepEqual(findings([sentOf(change, refused)], [issued]), []);
    finding(/renamed to "name 2" all the same/, sentOf(change, refused));
    finding(/nothing was wrong with it/, sentOf(change, { ...refused, status: '404' }), [issued]);
    finding(/nothing was wrong with it/, sentOf(grant, refused), [issued]);
  });
});
