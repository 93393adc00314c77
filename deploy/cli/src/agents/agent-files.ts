/** The coding agents that `sluice agents` sets up. */
export const agentNames = ['codex', 'claude', 'opencode', 'qwen', 'cline'] as const;
export type AgentName = (typeof agentNames)[number];

/** All that the settings of an agent are made of. */
export interface Seat {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: AgentModel;
  /** The folder of the user. */
  readonly home: string;
}

export interface AgentModel {
  readonly id: string;
  readonly name: string;
  readonly contextTokens: number;
  readonly outputTokensMax: number;
  readonly takesPictures: boolean;
  /** From the least to the most. */
  readonly efforts: readonly string[];
}

export type JsonObject = { readonly [name: string]: unknown };

/** A file of settings. What it holds takes the place of the same settings there, and the others stay. */
export type AgentFile = {
  /** Below the home. */
  readonly path: string;
} & (
  | { readonly form: 'json'; readonly content: JsonObject }
  | { readonly form: 'toml'; readonly content: TomlSettings }
  /** Lines of `NAME=value`. */
  | { readonly form: 'env'; readonly content: Readonly<Record<string, string>> }
  /** The file is ours alone. */
  | { readonly form: 'whole'; readonly content: JsonObject }
);

export interface TomlSettings {
  /** Keys before the first table. */
  readonly top: Readonly<Record<string, string>>;
  /** A table, which is replaced as a whole. */
  readonly table: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns the files of settings that make an agent call Sluice. */
export function agentFiles(agent: AgentName, seat: Seat): readonly AgentFile[] {
  switch (agent) {
    case 'codex':
      return codexFiles(seat);
    case 'claude':
      return claudeFiles(seat);
    case 'opencode':
      return opencodeFiles(seat);
    case 'qwen':
      return qwenFiles(seat);
    case 'cline':
      return clineFiles(seat);
  }
}

const catalogFile = '.codex/sluice-models.json';

/** Codex warns about a model that its catalog lacks. */
function codexFiles({ baseUrl, key, model, home }: Seat): readonly AgentFile[] {
  return [
    {
      path: '.codex/config.toml',
      form: 'toml',
      content: {
        top: {
          model: model.id,
          model_provider: 'sluice',
          model_catalog_json: `${home}/${catalogFile}`,
        },
        table: 'model_providers.sluice',
        values: {
          name: 'Sluice',
          base_url: baseUrl,
          wire_api: 'responses',
          experimental_bearer_token: key,
        },
      },
    },
    { path: catalogFile, form: 'whole', content: { models: [codexModel(model)] } },
  ];
}

const instructions = `You are a coding agent. You work in the terminal and the files of one person's project.
Read before you change. Make the smallest change that does what was asked, in the style of the code around it.
Use the tools that you have; run the project's own checks after a change, and mend what they find.
Never delete or overwrite work that is not yours.
Say at the end, in a few plain sentences, what you did and what is left.`;

function codexModel({ id, name, contextTokens, takesPictures, efforts }: AgentModel): JsonObject {
  return {
    slug: id,
    display_name: name,
    description: 'By Sluice.',
    supported_reasoning_levels: efforts.map((effort) => ({ effort, description: effort })),
    ...(efforts.includes('medium') && { default_reasoning_level: 'medium' }),
    shell_type: 'unified_exec',
    visibility: 'list',
    supported_in_api: true,
    priority: 1,
    support_verbosity: false,
    apply_patch_tool_type: 'freeform',
    truncation_policy: { mode: 'tokens', limit: 10_000 },
    context_window: contextTokens,
    experimental_supported_tools: [],
    input_modalities: takesPictures ? ['text', 'image'] : ['text'],
    base_instructions: instructions,
  };
}

/**
 * Claude Code adds the version to the URL itself. It takes a model that it does not know for one with a context of a
 * million tokens, and would never compact.
 */
function claudeFiles({ baseUrl, key, model }: Seat): readonly AgentFile[] {
  const env = {
    ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, ''),
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model.id,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model.id,
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(model.contextTokens),
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(model.outputTokensMax),
  };
  return [{ path: '.claude/settings.json', form: 'json', content: { env } }];
}

function opencodeFiles({ baseUrl, key, model }: Seat): readonly AgentFile[] {
  const limit = { context: model.contextTokens, output: model.outputTokensMax };
  const sluice = {
    name: 'Sluice',
    npm: '@ai-sdk/openai',
    options: { baseURL: baseUrl, apiKey: key },
    models: { [model.id]: { name: model.name, limit } },
  };
  const own = `sluice/${model.id}`;
  const content = { model: own, small_model: own, provider: { sluice } };
  return [{ path: '.config/opencode/opencode.json', form: 'json', content }];
}

function qwenFiles({ baseUrl, key, model }: Seat): readonly AgentFile[] {
  return [
    {
      path: '.qwen/settings.json',
      form: 'json',
      content: {
        security: { auth: { selectedType: 'openai' } },
        model: {
          name: model.id,
          generationConfig: {
            contextWindowSize: model.contextTokens,
            samplingParams: { max_tokens: model.outputTokensMax },
          },
        },
      },
    },
    {
      path: '.qwen/.env',
      form: 'env',
      content: { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model.id },
    },
  ];
}

function clineFiles({ baseUrl, key, model }: Seat): readonly AgentFile[] {
  const provider = 'openai-compatible';
  const settings = { provider, apiKey: key, model: model.id, baseUrl };
  return [
    {
      path: '.cline/data/settings/providers.json',
      form: 'json',
      content: {
        version: 1,
        lastUsedProvider: provider,
        providers: {
          [provider]: {
            settings,
            updatedAt: '1970-01-01T00:00:00.000Z',
            tokenSource: 'manual',
          },
        },
      },
    },
  ];
}
