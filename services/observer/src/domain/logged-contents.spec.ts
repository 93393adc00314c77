import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { mayRead } from './logged-contents.ts';

const ofAnn = { workspaceId: 'w-1', userId: 'ann' };

test('contents are read by management keys, and by keys of their member in their workspace', () => {
  equal(mayRead(undefined, ofAnn), true);
  equal(mayRead({ workspaceId: 'w-1', userId: 'ann' }, ofAnn), true);
  equal(mayRead({ workspaceId: 'w-1', userId: 'bob' }, ofAnn), false);
  equal(mayRead({ workspaceId: 'w-1', userId: '' }, ofAnn), false);
  equal(mayRead({ workspaceId: 'w-2', userId: 'ann' }, ofAnn), false);
  equal(mayRead({ workspaceId: 'w-1', userId: '' }, { ...ofAnn, userId: '' }), true);
});
