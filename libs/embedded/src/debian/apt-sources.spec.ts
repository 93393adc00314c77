import { deepEqual, equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { mirrorOf, sourceList } from './apt-sources.ts';

describe('the mirror of a machine', () => {
  const stanzas = [
    'Types: deb',
    '# a comment in between',
    'URIs: http://mirror.test/debian',
    'Suites: bookworm bookworm-updates',
    'Components: main',
    'Signed-By: /usr/share/keyrings/mirror.gpg',
    '',
    'Types: deb',
    'URIs: http://mirror.test/debian-security',
    'Suites: bookworm-security',
    'Components: main',
  ].join('\n');

  test('is read from stanzas', () => {
    const mirror = mirrorOf(stanzas, 'bookworm');
    deepEqual(mirror, {
      uri: 'http://mirror.test/debian',
      signedBy: '/usr/share/keyrings/mirror.gpg',
    });
  });

  test('is read from one-line lists', () => {
    const lines = [
      '# deb http://old.test/debian bookworm main',
      'deb [arch=amd64 signed-by=/keys/a.gpg] https://mirror.test/debian bookworm main contrib',
    ].join('\n');
    deepEqual(mirrorOf(lines, 'bookworm'), {
      uri: 'https://mirror.test/debian',
      signedBy: '/keys/a.gpg',
    });
  });

  test('is none where only sources, other suites or disabled stanzas stand', () => {
    equal(mirrorOf(stanzas, 'bullseye'), undefined);
    equal(mirrorOf(`Enabled: no\n${stanzas.split('\n\n')[0]}`, 'bookworm'), undefined);
    equal(mirrorOf('deb-src http://mirror.test/debian bookworm main', 'bookworm'), undefined);
    equal(mirrorOf('', 'bookworm'), undefined);
  });

  test('is asked for one suite, with its signatures checked by the given keys', () => {
    const list = sourceList({ uri: 'http://mirror.test/debian', signedBy: '/a' }, 'trixie', '/b');
    equal(
      list,
      'Types: deb\nURIs: http://mirror.test/debian\nSuites: trixie\nComponents: main\nSigned-By: /b\n',
    );
  });
});
