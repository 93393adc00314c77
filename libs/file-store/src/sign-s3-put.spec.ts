import { equal } from 'node:assert/strict';
import { test } from 'vitest';
import { signS3Put } from './sign-s3-put.ts';

const keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  now: new Date('2013-05-24T00:00:00.000Z'),
};

test('a put is signed as the example of the S3 documentation is', async () => {
  const { authorization } = await signS3Put({
    ...keys,
    url: 'https://examplebucket.s3.amazonaws.com/test%24file.text',
    sha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
  });
  equal(
    authorization,
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, ' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, ' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

test('a temporary key sends its token', async () => {
  const url = 'https://examplebucket.s3.amazonaws.com/a';
  const signed = await signS3Put({
    ...keys,
    url,
    sha256: 'e3b0',
    headers: {},
    sessionToken: 'token',
  });
  equal(signed['x-amz-security-token'], 'token');
  equal(signed['x-amz-date'], '20130524T000000Z');
});
