import { homedir } from 'node:os';
import { systemClock } from '@sluice/clock-and-ids';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { ApiRefused, callApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';
import type { Environment } from '../connections-file.ts';
import { askHere, clean, type Output } from '../output.ts';
import { WrongUsage } from '../wrong-usage.ts';
import { type AgentFile, agentFiles, type AgentModel, type Seat } from './agent-files.ts';
import type { AgentsCommand } from './command.ts';
import { merged } from './merge.ts';
import { draftsOf, write } from './write-files.ts';

interface AgentSurroundings {
  readonly api: Api;
  readonly output: Output;
  readonly env: Environment;
}

const number = Type.Union([Type.Number(), Type.Null()]);
const modelSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  context_length: number,
  architecture: Type.Object({ input_modalities: Type.Array(Type.String()) }),
  top_provider: Type.Object({ context_length: number, max_completion_tokens: number }),
  reasoning: Type.Optional(
    Type.Object({
      supported_efforts: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
    }),
  ),
});

/** Used if the catalog does not know them: every model that agents use has as much. */
const contextUnknown = 128_000;
const outputUnknown = 8_192;
/** An agent that asks for more holds more of its limit with each request. */
const outputAskedMax = 32_000;

/**
 * Makes a key with a limit, and prints the settings of the agent or writes them. A file that cannot be changed is found
 * before the key is made. Returns the exit code. Throws ApiRefused, FileNotUnderstood and WrongUsage.
 */
export async function setUpAgent(
  command: AgentsCommand,
  { api, output, env }: AgentSurroundings,
): Promise<number> {
  const home = env['HOME'] || homedir();
  const model = await modelOf(api, command.model);
  const seat = { baseUrl: api.baseUrl, model, home };
  const drafted = agentFiles(command.agent, { ...seat, key: 'a key' });
  if (command.writes) await draftsOf(home, drafted);
  if (!command.isAgreed && !(await agrees(command, model))) {
    output.problem('Nothing was done.');
    return 1;
  }
  const key = await makeKey(api, command);
  const files = agentFiles(command.agent, { ...seat, key });
  if (command.writes) await writeAll(home, files, output);
  else printAll(files, output);
  const when = command.writes ? 'now' : 'then';
  output.line(`${command.agent} calls ${clean(model.id)} at ${api.baseUrl} ${when}.`);
  return 0;
}

async function modelOf(api: Api, asked: string | undefined): Promise<AgentModel> {
  const id = asked ?? (await newestModel(api));
  const path = `/model/${id.split('/').map(encodeURIComponent).join('/')}`;
  const answer = await callApi(api, { method: 'GET', path }).catch((error: unknown) => {
    if (error instanceof ApiRefused && error.status === 404)
      throw new ApiRefused(`there is no model ${clean(id)}`);
    throw error;
  });
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Value.Check(modelSchema, data)) throw new ApiRefused('What was answered is no model.');
  return agentModel(id, data);
}

function agentModel(id: string, data: Static<typeof modelSchema>): AgentModel {
  const { top_provider: top, architecture } = data;
  const outputMax = top.max_completion_tokens ?? outputUnknown;
  return {
    id,
    name: data.name,
    contextTokens: top.context_length ?? data.context_length ?? contextUnknown,
    outputTokensMax: Math.min(outputMax, outputAskedMax),
    takesPictures: architecture.input_modalities.includes('image'),
    efforts: (data.reasoning?.supported_efforts ?? [])
      .filter((effort) => effort !== 'none')
      .toReversed(),
  };
}

const listSchema = Type.Object({ data: Type.Array(Type.Object({ id: Type.String() })) });

async function newestModel(api: Api): Promise<string> {
  const query = { supported_parameters: 'tools', sort: 'newest', limit: '1' };
  const answer = await callApi(api, { method: 'GET', path: '/models', query });
  const id = Value.Check(listSchema, answer) ? answer.data[0]?.id : undefined;
  if (id === undefined) throw new ApiRefused('No model takes tools: name one with --model.');
  return id;
}

async function agrees({ agent, limitUsd, limitReset }: AgentsCommand, model: AgentModel) {
  const interval = limitReset === null ? '' : ` ${limitReset}`;
  const question = `Make a key for ${agent} that may spend ${limitUsd} USD${interval} on ${model.id}? [y/N] `;
  const answer = await askHere(question);
  if (answer === undefined)
    throw new WrongUsage('Nobody can be asked here: --yes makes the key without a question.');
  return /^y(es)?$/i.test(answer.trim());
}

const keySchema = Type.Object({ key: Type.String() });

async function makeKey(api: Api, { agent, limitUsd, limitReset }: AgentsCommand): Promise<string> {
  const body = { name: `${agent} (sluice agents)`, limit: limitUsd, limit_reset: limitReset };
  const answer = await callApi(api, { method: 'POST', path: '/keys', body });
  if (!Value.Check(keySchema, answer)) throw new ApiRefused('What was answered is no key.');
  return answer.key;
}

async function writeAll(
  home: Seat['home'],
  files: readonly AgentFile[],
  output: Output,
): Promise<void> {
  for (const draft of await draftsOf(home, files)) {
    const backup = await write(draft, systemClock.now());
    const kept = backup === undefined ? '' : ` (what was there: ${clean(backup)})`;
    output.line(`${clean(draft.path)} is written${kept}.`);
  }
}

function printAll(files: readonly AgentFile[], output: Output): void {
  for (const file of files) {
    output.line(`Put into ~/${file.path}:\n`);
    output.line(merged(file, undefined));
  }
}
