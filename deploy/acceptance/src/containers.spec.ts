import { deepEqual, equal, match } from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { json } from './http.ts';
import { inSecondOrganization } from './organization.ts';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

test('a model runs a command in a container, whose files belong to the workspace', async ({
  skip,
}) => {
  const container_id = 'acceptance';
  const environment = { type: 'container_reference', container_id };
  const tools = [{ type: 'service:shell', parameters: { environment } }];
  const body = { model: 'sim/echo', input: 'call service_shell', tools };
  const answer = await json(sluice, '/responses', { body });
  equal(answer.status, 200, JSON.stringify(answer.body));
  const item = answer.body['output']?.['0'] ?? {};
  equal(item['type'], 'service:shell');
  if (JSON.stringify(item['error']) === '"sandbox unavailable"')
    skip('no sandbox works on this machine');
  equal(item['status'], 'completed');
  equal(item['container_id'], container_id);
  const outcome = { type: 'exit', exit_code: 0 };
  deepEqual(item['output'], [{ stdout: 'hello\n', stderr: '', outcome }]);
  match(JSON.stringify(answer.body['output_text']), /hello/);
  const files = await json(sluice, `/containers/${container_id}/files`);
  deepEqual([files.status, files.body['data']], [200, []]);
  const policy = { type: 'allowlist', allowed_domains: ['example.com'] };
  const other = { ...environment, network_policy: policy };
  const changed = [{ type: 'service:shell', parameters: { environment: other } }];
  equal((await json(sluice, '/responses', { body: { ...body, tools: changed } })).status, 409);
  const second = await inSecondOrganization(sluice);
  equal((await json(second, `/containers/${container_id}/files`)).status, 404);
});
