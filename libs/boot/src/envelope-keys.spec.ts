import { ok, rejects } from 'node:assert/strict';
import { test } from 'vitest';
import { openKeyManagement } from './envelope-keys.ts';

test('envelope keys lie with a transit engine only with what opens it', async () => {
  const url = { SLUICE_TRANSIT_URL: 'http://127.0.0.1:1/v1/transit' };
  await rejects(openKeyManagement(url), /SLUICE_TRANSIT_TOKEN/);
  ok(await openKeyManagement({ ...url, SLUICE_TRANSIT_TOKEN: 'a-vault-token' }));
  await rejects(openKeyManagement({ SLUICE_TRANSIT_URL: 'nowhere' }), /SLUICE_TRANSIT_URL/);
});
