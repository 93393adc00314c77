import { deepEqual, equal, ok } from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Endpoint } from '@sluice/providers';
import { Secret } from '@sluice/boot';
import { describe, test } from 'vitest';
import { endpointWith } from './endpoint-with.ts';

const endpoint = (provider: string): Endpoint => ({
  provider,
  dialect: 'openai-responses',
  baseUrl: 'https://shared.example/v1',
  apiKey: new Secret('sk-of-the-platform'),
  upstreamModel: 'gpt',
  keepsAnswers: true,
});
const called = (provider: string, secret: string, model = 'openai/gpt') => {
  const own = endpointWith(endpoint(provider), model, new Secret(secret));
  return own && [own.baseUrl, own.upstreamModel, own.apiKey?.reveal()];
};

describe('an endpoint with an own credential', () => {
  test('is called with the key of the customer, and keeps no answers for ours', () => {
    deepEqual(called('openai', 'sk-own'), ['https://shared.example/v1', 'gpt', 'sk-own']);
    equal(endpointWith(endpoint('openai'), 'm', new Secret('sk-own'))?.keepsAnswers, false);
  });

  test('hides its key when printed', () => {
    const azure = '[{"api_key":"sk-own","resource_name":"ours"}]';
    for (const [provider, secret] of [
      ['openai', 'sk-own'],
      ['azure', azure],
    ] as const) {
      const own = endpointWith(endpoint(provider), 'm', new Secret(secret));
      ok(own && !inspect(own, { depth: 9 }).includes('sk-own'));
      ok(!JSON.stringify(own).includes('sk-own'));
    }
  });
});

describe('a credential of Azure', () => {
  const resource = { api_key: 'sk-resource', resource_name: 'Ours' };
  const deployment = {
    model_slug: 'openai/gpt',
    endpoint_url: 'https://east.openai.azure.com/openai/v1/',
    api_key: 'sk-deployment',
    model_id: 'our-gpt',
  };

  test('names a resource', () => {
    deepEqual(called('azure', JSON.stringify([resource])), [
      'https://ours.openai.azure.com/openai/v1',
      'gpt',
      'sk-resource',
    ]);
    const foundry = { ...resource, resource_type: 'ai_foundry' };
    deepEqual(called('azure', JSON.stringify([foundry])), [
      'https://ours.services.ai.azure.com/openai/v1',
      'gpt',
      'sk-resource',
    ]);
  });

  test('names a deployment of a model, which goes first', () => {
    const both = JSON.stringify([resource, deployment]);
    deepEqual(called('azure', both), [
      'https://east.openai.azure.com/openai/v1',
      'our-gpt',
      'sk-deployment',
    ]);
    equal(called('azure', both, 'openai/other')?.[2], 'sk-resource');
    equal(called('azure', JSON.stringify([deployment]), 'openai/other'), undefined);
  });

  test.for([
    'https://ours.azure-api.net/openai',
    'https://169.254.169.254/openai',
    'https://localhost/openai',
    'https://openai.azure.com.evil.example/',
    'https://evil.example/?x=.openai.azure.com',
    'https://east.openai.azure.com:8443/openai',
    'http://east.openai.azure.com/openai',
  ])('leads nowhere else: %s', (endpoint_url) => {
    equal(called('azure', JSON.stringify([{ ...deployment, endpoint_url }])), undefined);
  });

  test.for(['', '{}', '[]', '[1]', '[{"api_key":1}]', 'sk-plain'])('is none: %s', (secret) => {
    equal(called('azure', secret), undefined);
  });
});

test('a credential that has to be exchanged for a token first is no way to call a provider yet', () => {
  for (const provider of ['amazon-bedrock', 'google-vertex'])
    equal(called(provider, '{"accessKeyId":"A"}'), undefined);
  equal(called('amazon-bedrock', 'ABSK-key')?.[2], 'ABSK-key');
});
