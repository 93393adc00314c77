import { describe, test } from 'vitest';
import { specification } from '@sluice/es/testing';
import { endUser, type EndUserCommand } from './decide.ts';

const { given } = specification(endUser);
const occurredAt = '2026-01-02T03:04:05.678Z';
const who = { accountId: 'org_1', user: 'customer/7 ü' };
const register: EndUserCommand = { type: 'RegisterEndUser', ...who, occurredAt };
const setActive = (isActive: boolean): EndUserCommand => ({
  type: 'SetEndUserActive',
  ...who,
  isActive,
  occurredAt,
});
const deactivate: EndUserCommand = { type: 'DeactivateEndUser', ...who, occurredAt };
const registered = {
  type: 'EndUserRegistered' as const,
  data: { ...who, registeredAt: occurredAt },
};
const data = { ...who, changedAt: occurredAt };
const deactivated = { type: 'EndUserDeactivated' as const, data };
const reactivated = { type: 'EndUserReactivated' as const, data };

describe('registering an end user', () => {
  test('registers it', () => given().when(register).then(registered));
  test('again is rejected, active or not', () => {
    given(registered).when(register).thenRejected('conflict');
    given(registered, deactivated).when(register).thenRejected('conflict');
  });
  test.each(['a', ' ', 'x'.repeat(256), '😀'.repeat(256), 'ÅÅ', '.', '/'])('takes %j', (user) =>
    given()
      .when({ ...register, user })
      .then({ ...registered, data: { ...registered.data, user } }),
  );
  test.each(['', 'x'.repeat(257), '😀'.repeat(257), 'a\nb', 'a\0', 'a\u{7f}', '\u{D800}'])(
    'refuses %j',
    (user) =>
      given()
        .when({ ...register, user })
        .thenRejected('invalid_request'),
  );
});

describe('an end user', () => {
  test('is active or not as was said last, also where it was so before', () => {
    given(registered).when(setActive(false)).then(deactivated);
    given(registered, deactivated).when(setActive(false)).then(deactivated);
    given(registered, deactivated).when(setActive(true)).then(reactivated);
    given(registered).when(setActive(true)).then(reactivated);
  });
  test('is deactivated as often as one likes', () => {
    given(registered).when(deactivate).then(deactivated);
    given(registered, deactivated).when(deactivate).thenNothing();
    given(registered, deactivated, reactivated).when(deactivate).then(deactivated);
  });
  test('that nobody registered cannot be changed', () => {
    given().when(setActive(true)).thenRejected('not_found');
    given().when(deactivate).thenRejected('not_found');
  });
});
