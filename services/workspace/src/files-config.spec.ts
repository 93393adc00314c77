import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, onTestFinished, test } from 'vitest';
import { loadFileSettings, openFiles } from './files-config.ts';

const bucket = {
  SLUICE_FILES_S3_BUCKET: 'files',
  SLUICE_FILES_S3_ACCESS_KEY_ID: 'AKIATEST',
  SLUICE_FILES_S3_SECRET_ACCESS_KEY: 'a-secret-of-the-bucket',
};

describe('the settings of files', () => {
  test('name the disk and its bounds when they are absent', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sluice-files-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const { store, limits } = await openFiles({}, join(directory, 'files'));
    deepEqual(limits, { filesMax: 1_000, bytesMax: 10_240 * 1_048_576 });
    const none = { accountId: 'a', workspaceId: 'w', fileId: 'f' };
    equal(await store.open(none), undefined);
  });

  test('name a bucket with its key, which no error shows', () => {
    doesNotThrow(() => loadFileSettings(bucket));
    const { SLUICE_FILES_S3_ACCESS_KEY_ID: _id, ...rest } = bucket;
    throws(
      () => loadFileSettings(rest),
      /^InvalidConfig: SLUICE_FILES_S3_ACCESS_KEY_ID is missing$/,
    );
    const settings = loadFileSettings(bucket);
    equal(JSON.stringify(settings).includes('a-secret'), false);
  });

  test.each([
    { SLUICE_FILES_MAX: '0' },
    { SLUICE_FILES_MAX: '10001' },
    { SLUICE_FILES_MIB_MAX: '0' },
    { SLUICE_FILES_S3_BUCKET: 'A bucket' },
    { SLUICE_FILES_S3_URL: 'https://name:password@s3.test' },
    { SLUICE_FILES_S3_PREFIX: 'no-slash' },
    { SLUICE_FILES_S3_SECRET_ACCESS_KEY: 'short' },
  ])('refuse %o', (wrong) =>
    throws(() => loadFileSettings({ ...bucket, ...wrong }), /SLUICE_FILES/),
  );
});
