import { equal, ok } from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { isCredentialUrl } from '@sluice/provider-registry';
import { formatOf, labelOf as labelBy } from './credential-format.ts';

const labelOf = (provider: string, credential: string) =>
  labelBy(provider, credential, isCredentialUrl);

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
const account = {
  type: 'service_account',
  project_id: 'our-project',
  private_key_id: 'abcdef0123456789',
  private_key: pem,
  client_email: 'sluice@our-project.iam.gserviceaccount.com',
  client_id: '1234567890',
  auth_uri: 'https://accounts.google.com/o/oauth2/auth',
  token_uri: 'https://oauth2.googleapis.com/token',
  universe_domain: 'googleapis.com',
};
const resource = { api_key: 'azure-key-0123456789', resource_name: 'our-resource' };
const deployment = {
  model_slug: 'openai/gpt-5',
  endpoint_url: 'https://our-resource.openai.azure.com/openai/deployments/x',
  api_key: 'deployment-key-0123456789',
  model_id: 'gpt-5',
};
const accessKey = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
};

describe('a credential in the form of its provider', () => {
  test.each([
    ['openai', 'sk-proj-0123456789AbCd', 'sk-...AbCd'],
    ['anthropic', 'short', '...'],
    ['anthropic', 'fifteen-letters', '...'],
    ['amazon-bedrock', 'ABSK0123456789abcdef', 'ABS...cdef'],
    ['amazon-bedrock', JSON.stringify(accessKey), 'wJa...EKEY'],
    ['amazon-bedrock', ` ${JSON.stringify(accessKey, null, 2)}\n`, 'wJa...EKEY'],
    ['azure', JSON.stringify([resource]), 'azu...6789'],
    [
      'azure',
      JSON.stringify([deployment, { ...resource, resource_type: 'ai_foundry' }]),
      'dep...6789',
    ],
  ])('of %s is shown by the ends of its secret: %s', (provider, credential, label) =>
    equal(labelOf(provider, credential), label),
  );

  test('of google-vertex is shown by the ends of its private key', () => {
    const body = pem.split('\n').slice(1, -2).join('');
    for (const more of [{}, { region: 'global', bucket: 'our-bucket' }, { region: 'europe-west4' }])
      equal(
        labelOf('google-vertex', JSON.stringify({ ...account, ...more })),
        `${body.slice(0, 3)}...${body.slice(-4)}`,
      );
  });

  test('shows at most seven characters of any key, and of a short one none', () => {
    const key = fc.stringMatching(/^[\x21-\x7e]{1,64}$/);
    fc.assert(
      fc.property(key, (credential) => {
        const label = labelOf('openai', credential);
        ok(label !== undefined && label.length <= 10);
        ok(credential.length >= 16 || label === '...');
      }),
    );
  });
});

describe('a credential is malformed', () => {
  const without = (object: object, name: string) =>
    Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
  test.each([
    ['openai', ''],
    ['openai', 'two words'],
    ['openai', 'a\r\nx-header: b'],
    ['openai', 'ключ-ключ-ключ-ключ'],
    ['openai', 'x'.repeat(4_097)],
    ['azure', 'a-plain-key'],
    ['azure', '[]'],
    ['azure', JSON.stringify(resource)],
    ['azure', JSON.stringify([resource, {}])],
    ['azure', JSON.stringify([{ ...resource, resource_name: 'evil.com#' }])],
    ['azure', JSON.stringify([{ ...resource, resource_type: 'other' }])],
    ['azure', JSON.stringify([{ ...resource, more: 1 }])],
    ['azure', JSON.stringify([{ ...deployment, endpoint_url: 'http://our.azure.com/' }])],
    ['azure', JSON.stringify([{ ...deployment, endpoint_url: 'https://u:p@our.azure.com/' }])],
    ['azure', JSON.stringify([{ ...deployment, endpoint_url: 'https://our.azure-api.net/' }])],
    ['azure', JSON.stringify([{ ...deployment, endpoint_url: 'https://169.254.169.254/' }])],
    ['azure', JSON.stringify([without(deployment, 'model_id')])],
    ['azure', JSON.stringify(Array.from({ length: 101 }, () => resource))],
    ['amazon-bedrock', '{"accessKeyId":'],
    ['amazon-bedrock', JSON.stringify(without(accessKey, 'region'))],
    ['amazon-bedrock', JSON.stringify({ ...accessKey, region: 'eu.evil.com/' })],
    ['amazon-bedrock', JSON.stringify({ ...accessKey, sessionToken: 'x' })],
    ['google-vertex', 'a-plain-key'],
    ['google-vertex', JSON.stringify({ ...account, type: 'authorized_user' })],
    ['google-vertex', JSON.stringify({ ...account, private_key: 'no key' })],
    ['google-vertex', JSON.stringify({ ...account, token_uri: 'https://evil.com/token' })],
    ['google-vertex', JSON.stringify({ ...account, token_uri: 'https://evilgoogleapis.com/' })],
    [
      'google-vertex',
      JSON.stringify({ ...account, token_uri: 'https://storage.googleapis.com/bucket/token' }),
    ],
    ['google-vertex', JSON.stringify({ ...account, region: 'a.b' })],
    ['google-vertex', JSON.stringify(without(account, 'client_email'))],
    ['google-vertex', '{"__proto__": {}, "type": "service_account"}'],
  ])('for %s: %s', (provider, credential) => equal(labelOf(provider, credential), undefined));

  test('whatever it is, and that is found out without an error', () => {
    const providers = ['openai', 'azure', 'amazon-bedrock', 'google-vertex'];
    const anything = fc.oneof(fc.string(), fc.json());
    fc.assert(
      fc.property(fc.constantFrom(...providers), anything, (provider, credential) => {
        labelOf(provider, credential);
        ok(formatOf(provider).length > 0);
      }),
    );
  });
});
