import { type Answer, type Case, type Dialect, dialects } from '../testing/case.ts';
import { begins, recorded, refuses } from '../testing/upstream.ts';
import { one, table } from './words.ts';

const events = { 'content-type': 'text/event-stream' };
const openAi = (message: string, code: string | null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const google = (code: number, status: string, message: string) => ({
  error: { code, message, status },
});

/** Errors in the words of real providers. The simulator gives bare statuses. */
const words: Readonly<Record<Dialect, Readonly<Record<string, Answer>>>> = {
  'openai-responses': {
    'too long': refuses(
      400,
      openAi('Your input exceeds the context window', 'context_length_exceeded'),
    ),
    'against the policy': refuses(400, openAi('It was flagged', 'content_policy_violation')),
    'bad image': refuses(400, openAi('The image is not one', 'invalid_image')),
    'bad key': refuses(401, openAi('Incorrect API key provided: sk-1', 'invalid_api_key')),
    'no quota': refuses(429, openAi('You exceeded your quota', 'insufficient_quota')),
    'unknown model': refuses(404, openAi('The model does not exist', 'model_not_found')),
  },
  'openai-chat': {
    'too long': refuses(
      400,
      openAi('maximum context length is 8 tokens', 'context_length_exceeded'),
    ),
    'bad key as a bad request': refuses(400, openAi('Invalid API key', null)),
    'detail of Python': refuses(422, { detail: [{ loc: ['body', 'a'], msg: 'Field required' }] }),
    'detail of Mistral': refuses(422, { message: { detail: [{ loc: ['b'], msg: 'is bad' }] } }),
    'error is a text': refuses(400, { error: 'no such field' }),
    moderated: refuses(403, { error: { message: 'flagged', metadata: { flagged_input: 'x' } } }),
    'error with status 200': refuses(200, { error: { message: 'broken', code: 502 } }),
  },
  'anthropic-messages': {
    'too long': refuses(
      400,
      anthropic('invalid_request_error', 'prompt is too long: 9 tokens > 8'),
    ),
    overloaded: refuses(529, anthropic('overloaded_error', 'Overloaded')),
    'no credit': refuses(400, anthropic('invalid_request_error', 'Your credit balance is too low')),
    'bad key': refuses(401, anthropic('authentication_error', 'invalid x-api-key')),
    'too large': refuses(413, anthropic('request_too_large', 'Request exceeds the maximum size')),
  },
  'google-gemini': {
    'too long': refuses(
      400,
      google(400, 'INVALID_ARGUMENT', 'The input token count exceeds the maximum number of tokens'),
    ),
    'bad key': refuses(400, google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass one.')),
    exhausted: refuses(429, google(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded')),
    'in a list': refuses(503, JSON.stringify([google(503, 'UNAVAILABLE', 'Overloaded')])),
    forbidden: refuses(403, google(403, 'PERMISSION_DENIED', 'Not for you')),
  },
};

/** Faults of a connection. */
const breaks = (dialect: Dialect): Readonly<Record<string, Answer>> => ({
  'no answer': (_asked, response) => void response.destroy(),
  'cut after the head': async ({ isStreamed }, response, _client) => {
    response.writeHead(200, isStreamed ? events : { 'content-length': '1000' }).flushHeaders();
    await new Promise((resolve) => {
      response.write(': \n\n', resolve);
    });
    response.destroy();
  },
  'cut in the middle': begins(dialect, (response) => void response.destroy()),
  'ended in the middle': begins(dialect, (response) => void response.end()),
  'garbage in the middle': begins(dialect, (response) => void response.end('data: {"}\n\n')),
  'garbage after all': ({ isStreamed }, response) => {
    const file = recorded(dialect, isStreamed ? 'text.sse' : 'text.json');
    response.writeHead(200, isStreamed ? events : {}).write(file);
    response.end('garbage');
  },
  'goes on after a pause': ({ isStreamed, ...asked }, response, client) =>
    begins(dialect, async (_response, rest) => {
      if (isStreamed) await client.heard;
      response.end(rest);
    })({ isStreamed, ...asked }, response, client),
  html: refuses(200, '<html>', { 'content-type': 'text/html' }),
  'html that is an error': refuses(502, '<html>bad gateway</html>', {}),
  'no content': refuses(204, ''),
  'moved away': refuses(302, '', { location: 'http://127.0.0.1:1/' }),
  'wait a while': refuses(429, {}, { 'retry-after': '7' }),
  'wait until a day': refuses(503, {}, { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' }),
  'wait for milliseconds': refuses(429, {}, { 'retry-after-ms': '2500' }),
  teapot: refuses(418, openAi('short and stout', 'teapot')),
});

const rowsOf = (answers: Readonly<Record<string, Answer>>, dialect: Dialect) =>
  Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => [
      name,
      { body: { input: 'hi', max_output_tokens: 1_000 }, models: one(dialect, answer) },
    ]),
  );

export const providerErrors: readonly Case[] = dialects.flatMap((dialect) => [
  ...table(`${dialect}/errors`, rowsOf(words[dialect], dialect)),
  ...table(`${dialect}/connections`, rowsOf(breaks(dialect), dialect)),
]);
