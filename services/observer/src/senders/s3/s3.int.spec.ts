import { deepEqual, equal, match } from 'node:assert/strict';
import { createEgress, parseAllowList } from '@sluice/egress';
import { type S3Server, s3ServerKeys, startS3Server } from '@sluice/file-store/testing';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { send } from '../../delivery/send.ts';
import { aDestination, observed } from '../testing/a-generation.ts';
import { s3 } from './s3.ts';

describe('a bucket of a real server', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server();
  });
  afterAll(() => server.stop());

  const put = async (config: object, batch = [observed()]) => {
    const destination = aDestination({
      type: 's3',
      config: {
        bucketName: server.bucket,
        endpoint: server.url,
        ...s3ServerKeys,
        region: 'eu-west-1',
        prefix: 'service traces',
        pathTemplate: '{prefix}/{year}/{month}/{day}/{apiKeyName}',
        ...config,
      },
    });
    const egress = createEgress({ allowList: parseAllowList('127.0.0.1') });
    try {
      return await send({ sender: s3, destination, batch, egress, now: new Date() });
    } finally {
      await egress.stop();
    }
  };
  const names = async (folder: string) => {
    const query = new URLSearchParams({ prefix: folder });
    const listed = await fetch(`${server.url}/${server.bucket}?${query.toString()}`);
    return [...(await listed.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => name);
  };

  test('takes each generation as one object at the path of the template', async () => {
    const keyName = 'Ünïcode, (x*)! + 100%';
    const batch = [
      observed({ keyName, generationId: 'gen-1' }),
      observed({ keyName, generationId: 'gen-2' }),
    ];
    deepEqual(await put({}, batch), { outcome: 'delivered', httpStatus: 200, problem: '' });
    // The same generations again are the same objects.
    equal((await put({}, batch)).outcome, 'delivered');
    const found = await names('service traces/2026/11/27/');
    equal(found.length, 2);
    const ids = await Promise.all(
      found.map(async (name) => {
        const path = name.split('/').map(encodeURIComponent).join('/');
        const object = await fetch(`${server.url}/${server.bucket}/${path}`);
        equal(object.headers.get('content-type'), 'application/json');
        match(
          name,
          /^service traces\/2026\/11\/27\/Ünïcode, \(x\*\)! \+ 100%\/[0-9a-f]{32}-\d+-[0-9a-f]{8}\.json$/,
        );
        return ((await object.json()) as { readonly id: string }).id;
      }),
    );
    deepEqual(ids.toSorted(), ['gen-1', 'gen-2']);
  });

  test('refuses a wrong secret and an unknown key, which may be corrected', async () => {
    const prefix = 'refused';
    for (const wrong of [{ secretAccessKey: 'S3RVER2' }, { accessKeyId: 'S3RVER2' }]) {
      const { outcome, httpStatus, problem } = await put({ prefix, ...wrong });
      deepEqual([outcome, httpStatus], ['retry', 403]);
      equal(problem, 'The destination answered with the status 403');
    }
    deepEqual(await names(prefix), []);
  });

  test('refuses a bucket that is not there', async () => {
    const { outcome, httpStatus } = await put({ bucketName: 'missing' });
    deepEqual([outcome, httpStatus], ['retry', 404]);
  });
});
