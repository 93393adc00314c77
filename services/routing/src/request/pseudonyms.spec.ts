import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { test } from 'vitest';
import { Pseudonyms } from './pseudonyms.ts';

const pseudonyms = new Pseudonyms();
const endUserOf = (accountId: string, endUser: string) => pseudonyms.of(accountId, endUser).endUser;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('an end user has one pseudonym per account, and different ones in different accounts', () => {
  const jane = endUserOf('a', 'jane') ?? '';
  match(jane, uuid);
  equal(endUserOf('a', 'jane'), jane);
  equal(new Pseudonyms().of('a', 'jane').endUser, jane);
  notEqual(endUserOf('a', 'joe'), jane);
  notEqual(endUserOf('b', 'jane'), jane);
});

test('a request without an end user has the pseudonym of its account, which equals no end user', () => {
  const { accountUser = '', ...more } = pseudonyms.of('a', undefined);
  match(accountUser, uuid);
  deepEqual(more, {});
  deepEqual(pseudonyms.of('a', undefined), { accountUser });
  for (const name of ['', 'a', 'account']) notEqual(endUserOf('a', name), accountUser);
});

test('more of them than are kept at a time change nothing', () => {
  const jane = endUserOf('a', 'jane');
  for (let each = 0; each < 10_001; each++) pseudonyms.of('a', String(each));
  equal(endUserOf('a', 'jane'), jane);
});
