import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'vitest';
import { mirrorOf, sourceList } from './apt-sources.ts';
import { locateNatsServer } from './locate.ts';
import { requireChecksum } from './release.ts';
import { isNewEnough } from './version.ts';

describe('a nats-server version', () => {
  test('is new enough from 2.10 on', () => {
    const versions = [
      '2.9.10-1+b3',
      '2.10.0',
      'v2.10.27',
      '2.12.15',
      '3.0.0',
      '1.99.0',
      '',
      'none',
    ];
    deepEqual(versions.filter(isNewEnough), ['2.10.0', 'v2.10.27', '2.12.15', '3.0.0']);
  });
});

describe('NATS_SERVER', () => {
  test('that names something else is refused, and nothing else is taken instead', async () => {
    await rejects(
      locateNatsServer({ NATS_SERVER: '/bin/true', PATH: process.env['PATH'] }),
      /NATS_SERVER names \/bin\/true, which is no nats-server/,
    );
  });
});

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

describe('a release archive', () => {
  test('is refused when one byte differs', () => {
    const bytes = Buffer.from('archive');
    const expected = createHash('sha256').update(bytes).digest('hex');
    requireChecksum(bytes, expected);
    throws(() => requireChecksum(Buffer.from('archivf'), expected), /checksum .* instead of/);
  });
});
