import { deepEqual, equal, throws } from 'node:assert/strict';
import { InvalidConfig } from '@sluice/boot';
import { test } from 'vitest';
import { loadFileParser, openFileEngines } from './file-parser-config.ts';

test('an engine is there where its key is set', () => {
  deepEqual(openFileEngines({}).names, []);
  deepEqual(openFileEngines({ MISTRAL_API_KEY: 'key-of-mistral' }).names, ['mistral-ocr']);
  const token = { CLOUDFLARE_API_TOKEN: 'token-of-workers' };
  deepEqual(openFileEngines(token).names, []);
  const account = { CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32) };
  deepEqual(openFileEngines({ ...token, ...account }).names, ['cloudflare-ai']);
});

test('an engine opens with the key of an account, or with the platform’s', () => {
  const own = { reveal: () => 'own' };
  equal(openFileEngines({}).open('mistral-ocr', own as never)?.name, 'mistral-ocr');
  equal(openFileEngines({}).open('mistral-ocr', undefined), undefined);
  equal(
    openFileEngines({ MISTRAL_API_KEY: 'key-of-mistral' }).open('mistral-ocr', undefined)?.name,
    'mistral-ocr',
  );
});

test('the limits are those that are set', () => {
  deepEqual(loadFileParser({}), {});
  const limits = { SLUICE_FILE_BYTES_MAX: '2048', SLUICE_FILE_PAGES_MAX: '7' };
  deepEqual(loadFileParser({ ...limits, SLUICE_FILE_READ_MS: '500' }), {
    bytesMax: 2_048,
    pagesMax: 7,
    readMs: 500,
  });
  for (const wrong of [
    { SLUICE_FILE_PAGES_MAX: '0' },
    { SLUICE_FILE_BYTES_MAX: '1' },
    { CLOUDFLARE_ACCOUNT_ID: 'mine' },
    { MISTRAL_OCR_BASE_URL: 'ftp://a' },
  ])
    throws(() => loadFileParser(wrong), InvalidConfig);
});
