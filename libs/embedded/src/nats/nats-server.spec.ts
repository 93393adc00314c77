import { deepEqual, rejects, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'vitest';
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

describe('a release archive', () => {
  test('is refused when one byte differs', () => {
    const bytes = Buffer.from('archive');
    const expected = createHash('sha256').update(bytes).digest('hex');
    requireChecksum(bytes, expected);
    throws(() => requireChecksum(Buffer.from('archivf'), expected), /checksum .* instead of/);
  });
});
