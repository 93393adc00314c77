import { deepEqual, equal, rejects } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { prepareUser, withReader } from './prepare-user.ts';

describe('the readers of $all', () => {
  test.for([
    [undefined, ['$admins', 'sluice']],
    ['$admins', ['$admins', 'sluice']],
    [
      ['$admins', 'audit'],
      ['$admins', 'audit', 'sluice'],
    ],
    [['audit'], ['audit', '$admins', 'sluice']],
  ] as const)('%o become %o', ([roles, readers]) =>
    deepEqual(withReader(roles, 'sluice'), readers),
  );

  test('stay as they are when the user is one', () =>
    equal(withReader(['$admins', 'sluice'], 'sluice'), undefined));
});

describe('a user is not made', () => {
  const adminUrl = 'esdb://admin:secret@localhost:1?tls=true';
  const userUrl = 'esdb://sluice:other@localhost:1?tls=true';
  test.for([
    [
      { adminUrl: 'esdb://localhost:1?tls=false', userUrl },
      'An event store without TLS has no users',
    ],
    [{ adminUrl: 'esdb://localhost:1', userUrl }, 'The administrator’s URL names no user'],
    [{ adminUrl, userUrl: 'esdb://localhost:1' }, 'The URL of the services names no user'],
    [
      { adminUrl, userUrl: adminUrl },
      'The user of the services is the administrator: give it a name of its own',
    ],
    [{ adminUrl, userUrl }, 'The event store does not answer at localhost:1 (ECONNREFUSED)'],
  ])(
    'of %o',
    async ([urls, message]) =>
      await rejects(
        prepareUser({ ...(urls as { adminUrl: string; userUrl: string }), isExclusive: false }),
        { message },
      ),
  );
});
