import type { Resource } from './resource.ts';

/** The usage, and the evidence for it. */
export const activity: Resource = {
  words: 'activity',
  does: 'what was used, day by day',
  operations: [
    {
      name: 'list',
      does: 'the last 30 completed UTC days',
      method: 'GET',
      path: '/activity',
      isDefault: true,
      options: [
        { flags: '--date <day>', field: 'date', as: 'text', does: 'only this UTC day' },
        { flags: '--key <hash>', field: 'api_key_hash', as: 'hash', does: 'only this key' },
        { flags: '--user <id>', field: 'user_id', as: 'text', does: 'only this member' },
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'only this workspace',
        },
        { flags: '--app <name>', field: 'app', as: 'text', does: 'only this application' },
        { flags: '--group-by <what>', field: 'group_by', as: 'text', does: 'workspace or app' },
      ],
      columns: [
        'date',
        'model',
        'provider_name',
        'requests',
        'prompt_tokens',
        'completion_tokens',
        'usage',
      ],
    },
  ],
};

const generationId = {
  flags: '--id <generation>',
  field: 'id',
  as: 'text',
  required: true,
  does: 'as the header X-Generation-Id named it',
} as const;

export const generation: Resource = {
  words: 'generation',
  does: 'the record of a request for inference',
  operations: [
    {
      name: 'show',
      does: 'what was asked of whom, and what it cost',
      method: 'GET',
      path: '/generation',
      options: [generationId],
    },
    {
      name: 'content',
      does: 'what was said, where the account stores it',
      method: 'GET',
      path: '/generation/content',
      options: [generationId],
    },
    {
      name: 'feedback',
      does: 'tell the operator what was wrong with it',
      method: 'POST',
      path: '/generation/feedback',
      options: [
        { ...generationId, field: 'generation_id' },
        {
          flags: '--category <name>',
          field: 'category',
          as: 'text',
          required: true,
          does: 'latency, incoherence, incorrect_response, formatting, billing, api_error or other',
        },
        { flags: '--comment <text>', field: 'comment', as: 'text', does: 'what should be known' },
      ],
    },
  ],
};

/** Beside what only the operator may do with credits. */
export const credits: Resource = {
  words: 'credits',
  does: 'what an account may spend',
  operations: [
    {
      name: 'balance',
      does: 'what the account of the management key was given and has used',
      method: 'GET',
      path: '/credits',
    },
  ],
};

export const currentKey: Resource = {
  words: 'key',
  does: 'the key that the command presents',
  operations: [
    {
      name: 'show',
      does: 'what it may do, and what it has used',
      method: 'GET',
      path: '/key',
      isDefault: true,
    },
  ],
};

export const proofs: Resource = {
  words: 'proofs',
  does: 'the books, with their evidence',
  operations: [
    {
      name: 'conservation',
      does: 'whether every attempt was counted once',
      method: 'GET',
      path: '/../proof/conservation',
      options: [
        { flags: '--from <day>', field: 'from', as: 'text', does: 'the first UTC day' },
        { flags: '--to <day>', field: 'to', as: 'text', does: 'the last UTC day' },
      ],
    },
    {
      name: 'budget',
      does: 'what of a limit is spent, leased and held: of a key, a workspace, a guardrail, or credits',
      method: 'GET',
      path: '/../proof/budget/{id}',
      options: [{ flags: '--at <instant>', field: 'at', as: 'text', does: 'then, instead of now' }],
      rows: 'budgets',
    },
  ],
};

export const responses: Resource = {
  words: 'responses',
  does: 'inference with the API key',
  operations: [
    {
      name: 'create',
      does: 'ask a model, and show the whole answer',
      method: 'POST',
      path: '/responses',
      key: 'api',
      options: [
        {
          flags: '--model <slug>',
          field: 'model',
          as: 'text',
          required: true,
          does: 'like sim/echo',
        },
        {
          flags: '--input <text>',
          field: 'input',
          as: 'text',
          required: true,
          does: 'what to ask',
        },
        {
          flags: '--instructions <text>',
          field: 'instructions',
          as: 'text',
          does: 'how to answer',
        },
        {
          flags: '--max-output-tokens <count>',
          field: 'max_output_tokens',
          as: 'number',
          does: 'at most so many',
        },
      ],
    },
  ],
};
