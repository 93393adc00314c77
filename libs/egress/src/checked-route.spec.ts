import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { allowNothing, parseAllowList } from './allow-list.ts';
import { createCheckedRoute } from './checked-route.ts';

const problem = (url: string, allowed = '') =>
  createCheckedRoute({
    allowList: allowed === '' ? allowNothing : parseAllowList(allowed),
  }).problemOf(url);

describe('the address of a server that a customer names', () => {
  test.each([
    ['https://llm.example.com/v1', ''],
    ['https://llm.example.com:8443/v1', ''],
    ['https://10.1.2.3/v1', '10.0.0.0/8'],
    ['http://10.1.2.3:8000/v1', '10.0.0.0/8'],
    ['http://[fd00::1]:8000/v1', '[fd00::]/8'],
    ['http://vllm.models.svc.cluster.local:8000/v1', '10.0.0.0/8'],
  ])('may be %s with %j', (url, allowed) => equal(problem(url, allowed), undefined));

  test.each([
    ['x', ''],
    ['ftp://llm.example.com', ''],
    ['http://llm.example.com/v1', ''],
    ['https://user:word@llm.example.com/v1', ''],
    ['https://llm.example.com:25/v1', ''],
    ['https://10.1.2.3/v1', ''],
    ['https://2130706433/v1', ''],
    ['https://[::ffff:127.0.0.1]/v1', ''],
    ['https://169.254.169.254/v1', '10.0.0.0/8'],
    ['http://203.0.113.7/v1', '10.0.0.0/8'],
    ['http://8.8.8.8/v1', '10.0.0.0/8'],
    ['http://[2606:4700::1111]/v1', '10.0.0.0/8'],
  ])('may not be %s with %j', (url, allowed) => equal(typeof problem(url, allowed), 'string'));
});

test('a name without TLS is dialed only at an address that the operator names', async () => {
  const { connect } = createCheckedRoute({ allowList: parseAllowList('10.0.0.0/8') });
  const asked = { hostname: '8.8.8.8', host: '8.8.8.8', protocol: 'http:', port: '80' };
  const error = await new Promise<Error | null>((resolve) => {
    connect(asked, (...[failure]) => resolve(failure));
  });
  equal(error?.name, 'EgressError');
});
