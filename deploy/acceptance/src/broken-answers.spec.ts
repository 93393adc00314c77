import { deepEqual } from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { sharedInstance } from './shared/instance.ts';
import type { Running } from './shared/setup.ts';
import { runProgram, stockClients } from './stock-clients.ts';

/** One model for each dialect of providers. */
const models = ['sim/echo', 'sim/chat', 'sim/messages', 'sim/gemini'];
/** The provider fails after its first words. */
const prompt = '[sim:fail-3] Say more than three words';

let sluice: Running;
beforeAll(async () => {
  sluice = await sharedInstance();
});

/** A client of chat completions: statements that import it, and those that read answers to `prompt` with it. */
interface Client {
  readonly imports: string;
  readonly streamed: string;
  readonly whole: string;
}

const openai = (streamed: string): Client => ({
  imports: `import Client from 'openai';`,
  streamed: `const client = new Client({ baseURL, apiKey, maxRetries: 0 }); ${streamed}`,
  whole: `const client = new Client({ baseURL, apiKey, maxRetries: 0 });
    await client.chat.completions.create({ model, messages });`,
});
const aiSdk = (imports: string, create: string): Client => ({
  imports: `import { generateText, streamText } from 'ai';\n${imports}`,
  streamed: `
    const { fullStream } = streamText({ model: ${create}, prompt, maxRetries: 0, onError() {} });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') said += part.text;
      if (part.type === 'error') throw part.error;
    }`,
  whole: `await generateText({ model: ${create}, prompt, maxRetries: 0 });`,
});
const openRouter =
  'new OpenRouter({ serverURL: baseURL, apiKey, retryConfig: { strategy: "none" } })';
const langchain = 'new ChatOpenAI({ model, apiKey, maxRetries: 0, configuration: { baseURL } })';
const langchainOpenRouter = 'new ChatOpenRouter({ model, apiKey, maxRetries: 0, baseURL })';

/** Every client of docs/use-with.md that asks for chat completions. */
const clients: Readonly<Record<string, Client>> = {
  openai: openai(`
    for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
      said += chunk.choices[0]?.delta.content ?? '';`),
  'openai, its helper': openai(`
    await client.chat.completions.stream({ model, messages })
      .on('content', (delta) => (said += delta)).finalContent();`),
  '@ai-sdk/openai': aiSdk(
    `import { createOpenAI as create } from '@ai-sdk/openai';`,
    'create({ baseURL, apiKey }).chat(model)',
  ),
  '@ai-sdk/openai-compatible': aiSdk(
    `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';`,
    `createOpenAICompatible({ name: 'sluice', baseURL, apiKey })(model)`,
  ),
  '@openrouter/ai-sdk-provider': aiSdk(
    `import { createOpenRouter } from '@openrouter/ai-sdk-provider';`,
    'createOpenRouter({ baseURL, apiKey })(model)',
  ),
  '@openrouter/sdk': {
    imports: `import { OpenRouter } from '@openrouter/sdk';`,
    streamed: `
      const chatRequest = { model, messages, stream: true };
      for await (const chunk of await ${openRouter}.chat.send({ chatRequest }))
        said += chunk.choices[0]?.delta.content ?? '';`,
    whole: `await ${openRouter}.chat.send({ chatRequest: { model, messages } });`,
  },
  '@langchain/openai': {
    imports: `import { ChatOpenAI } from '@langchain/openai';`,
    streamed: `for await (const chunk of await ${langchain}.stream(prompt)) said += chunk.content;`,
    whole: `await ${langchain}.invoke(prompt);`,
  },
  // It passes over every event without a choice, so it has the finish reason alone.
  '@langchain/openrouter': {
    imports: `import { ChatOpenRouter } from '@langchain/openrouter';`,
    streamed: `
      let last;
      for await (const chunk of await ${langchainOpenRouter}.stream(prompt)) {
        said += chunk.content;
        last = last?.concat(chunk) ?? chunk;
      }
      if (last.response_metadata.finish_reason === 'error') throw new Error('finish reason');`,
    whole: `await ${langchainOpenRouter}.invoke(prompt);`,
  },
};

/** Returns the lines "how client model" of answers that looked complete, or of which nothing was read. */
const programOf = (baseURL: string, named: readonly (readonly [string, Client])[]) => `
${[...new Set(named.flatMap(([, { imports }]) => imports.split('\n')))].join('\n')}
globalThis.AI_SDK_LOG_WARNINGS = false;
const [baseURL, apiKey] = [${JSON.stringify(baseURL)}, process.env.SLUICE_API_KEY];
const prompt = ${JSON.stringify(prompt)};
const messages = [{ role: 'user', content: prompt }];
let said = '';
async function check(how, name, read) {
  for (const model of ${JSON.stringify(models)}) {
    said = '';
    const error = await read(model).then(() => undefined, (error) => error);
    if (!error) console.log(how, name, model, 'looked complete');
    if (how === 'streamed' && said === '') console.log(how, name, model, 'was not read:', error);
  }
}
${named
  .flatMap(([name, { streamed, whole }]) =>
    Object.entries({ streamed, whole }).map(
      ([how, body]) =>
        `await check('${how}', ${JSON.stringify(name)}, async (model) => {${body}});`,
    ),
  )
  .join('\n')}`;

describe.each(stockClients)(
  'with $name of its package, an answer that breaks',
  ({ has, folder }) => {
    const named = Object.entries(clients).filter(([, { imports }]) => has(imports));

    test(`is raised by ${named.map(([name]) => name).join(', ')}`, async () => {
      const { base_url: baseURL, api_key: key } = sluice.bootstrap;
      const options = { cwd: folder, env: { SLUICE_API_KEY: key } };
      deepEqual(await runProgram(programOf(baseURL, named), options), '');
    });
  },
);
