import type { Case } from '../testing/case.ts';
import { one, table } from './words.ts';

const body = { input: 'hi', max_output_tokens: 100 };

/** Refusals of the gateway before the body is read, and the headers of a client that it passes on. */
export const callers: readonly Case[] = table(
  'callers',
  {
    'no key': { body, headers: { authorization: undefined } },
    'no bearer': { body, headers: { authorization: 'Basic eDp5' } },
    'unknown key': { body, headers: { authorization: 'Bearer nobody' } },
    'management key': { body, key: { isManagement: true } },
    'disabled key': { body, key: { disabled: true } },
    'expired key': { body, key: { expiresAt: '2026-11-01T00:00:00.000Z' } },
    'another method': { body: '', method: 'PUT' },
    'another content type': { body: 'hi', headers: { 'content-type': 'text/plain' } },
    'no content type': { body: 'hi', headers: { 'content-type': undefined } },
    'too large': { body: `{"input":"${'x'.repeat(70_000)}"}` },
    'asks for a cache': { body, headers: { 'x-service-cache': 'true' } },
    'asks how it was routed': { body, headers: { 'x-service-metadata': 'enabled' } },
    'says who it is': {
      body,
      headers: {
        'http-referer': 'https://app.example/',
        'x-title': 'The app',
        'x-service-categories': 'cli-agent,legal',
        'user-agent': 'app/1',
        'x-session-id': 'session-1',
      },
    },
    'knows a beta': { body, headers: { 'x-anthropic-beta': 'interleaved-thinking-2025-05-14' } },
    'names its request': { body, headers: { 'x-request-id': 'mine' } },
  },
  { models: one('anthropic-messages') },
);
