import { equal } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { isCredentialUrl } from './credential-hosts.ts';

describe('a URL that a credential names', () => {
  test.each<[provider: string, url: string]>([
    ['azure', 'https://ours.openai.azure.com/openai/v1'],
    ['azure', 'https://OURS.OpenAI.Azure.com:443/openai'],
    ['azure', 'https://ours.services.ai.azure.com/'],
    ['azure', 'https://our-east-2.cognitiveservices.azure.com/x'],
    ['google-vertex', 'https://oauth2.googleapis.com/token'],
    ['google-vertex', 'https://accounts.google.com/o/oauth2/auth'],
    ['google-vertex', 'https://www.googleapis.com/oauth2/v1/certs'],
  ])('of %s may be %s', (provider, url) => equal(isCredentialUrl(provider, url), true));

  test.each<[provider: string, url: string, why: string]>([
    ['azure', 'https://ours.azure-api.net/openai', 'its owner says where it leads'],
    ['azure', 'https://ours.azurewebsites.net/', "anybody's program"],
    ['azure', 'https://ours.blob.core.windows.net/', "anybody's files"],
    ['azure', 'https://ours.cloudapp.azure.com/', "anybody's machine"],
    ['azure', 'https://azure.com/', 'no resource'],
    ['azure', 'https://openai.azure.com/', 'no resource'],
    ['azure', 'https://.openai.azure.com/', 'no label'],
    ['azure', 'https://-.openai.azure.com/', 'no label'],
    ['azure', 'https://a.b.openai.azure.com/', 'two labels'],
    ['azure', 'https://openai.azure.com.evil.example/', 'another domain'],
    ['azure', 'https://evilopenai.azure.com/', 'another label'],
    ['azure', 'https://xopenai.azure.com/', 'another label'],
    ['azure', 'https://ours.openai.azure.com./', 'a trailing dot'],
    ['azure', 'https://evil.example/?x=.openai.azure.com', 'in the query'],
    ['azure', 'https://evil.example/#.openai.azure.com', 'in the fragment'],
    ['azure', 'https://evil.example\\.openai.azure.com/', 'a backslash'],
    ['azure', 'https://ours.openai.azure.com@evil.example/', 'a user'],
    ['azure', 'https://u:p@ours.openai.azure.com/', 'a user'],
    ['azure', 'https://ours.openai.azure.com:8443/', 'another port'],
    ['azure', 'http://ours.openai.azure.com/', 'not encrypted'],
    ['azure', 'file://ours.openai.azure.com/', 'another protocol'],
    ['azure', 'https://169.254.169.254/openai', 'an address'],
    ['azure', 'https://[::1]/openai', 'an address'],
    ['azure', 'https://2130706433/', 'an address as a number'],
    ['azure', 'https://localhost/openai', 'this machine'],
    ['azure', 'https://ours.оpenai.azure.com/', 'a look-alike letter'],
    ['azure', 'ours.openai.azure.com', 'no URL'],
    ['azure', '', 'nothing'],
    ['azure', `https://ours.openai.azure.com/${'x'.repeat(2_048)}`, 'too long'],
    ['google-vertex', 'https://storage.googleapis.com/our-bucket/token', "anybody's files"],
    ['google-vertex', 'https://bucket.storage.googleapis.com/token', "anybody's files"],
    ['google-vertex', 'https://ours.appspot.com/token', "anybody's program"],
    ['google-vertex', 'https://evilgoogleapis.com/token', 'another domain'],
    ['google-vertex', 'https://x.accounts.google.com/', 'another host'],
    ['google-vertex', 'https://ours.openai.azure.com/', 'of another provider'],
    ['openai', 'https://api.openai.com/v1', 'its credentials name no host'],
    ['__proto__', 'https://api.openai.com/v1', 'no provider'],
    ['constructor', 'https://api.openai.com/v1', 'no provider'],
  ])('of %s may not be %s: %s', (provider, url) => equal(isCredentialUrl(provider, url), false));
});
