import { deepEqual } from 'node:assert/strict';
import { Key, KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { describe, test } from 'vitest';
import type { Caller } from './caller.ts';
import { routeAuths } from './caller-facts.ts';
import { KeyCaller } from './key-caller.ts';

const hash = '0'.repeat(64);

function keyOf(kind: KeyKind, facts: Partial<Key> = {}): Caller {
  const key = { hash, kind, accountId: 'org_1', workspaceId: 'w_1', ...facts };
  return new KeyCaller(Key.fromPartial(key));
}

describe('a key', () => {
  test.each([
    [KeyKind.KEY_KIND_REGULAR, 'api_key', ['public', 'inference', 'any']],
    [KeyKind.KEY_KIND_MANAGEMENT, 'management_key', ['public', 'management', 'any']],
  ])('of kind %s acts as %s on the routes %j', (kind, type, routes) => {
    const caller = keyOf(kind);
    deepEqual(caller.actorOf(), { type, id: hash });
    deepEqual(
      routeAuths.filter((auth) => caller.permits({ auth })),
      routes,
    );
  });

  test('is counted by its hash, and acts for the account and the user that made it', () => {
    const caller = keyOf(KeyKind.KEY_KIND_REGULAR, { creatorUserId: 'user_1' });
    deepEqual([caller.callerId(), caller.accountId, caller.userId], [hash, 'org_1', 'user_1']);
    deepEqual(keyOf(KeyKind.KEY_KIND_REGULAR).userId, undefined);
  });

  test('names its workspace in spans only if it has one', () => {
    const names = (caller: Caller) => Object.values(caller.spanAttributesOf());
    deepEqual(names(keyOf(KeyKind.KEY_KIND_REGULAR)), ['org_1', 'w_1', hash]);
    deepEqual(names(keyOf(KeyKind.KEY_KIND_MANAGEMENT, { workspaceId: '' })), ['org_1', hash]);
  });
});
