import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { servedUrl } from './served-url.ts';

test.each([
  ['/v1', '/v1'],
  ['/v1/', '/v1'],
  ['/v1/?a=b', '/v1?a=b'],
  ['/v1/v1/messages', '/v1/messages'],
  ['/v1/v1/', '/v1'],
  ['/v1/messages/', '/v1/messages/'],
  ['/v11/', '/v11/'],
  ['/', '/'],
])('%s is served as %s', (asked, served) => {
  equal(servedUrl(asked), served);
});
