import { paging, type Resource, type ResourceOption } from './resource.ts';

const list = (flags: string, field: string, does: string): ResourceOption => ({
  flags,
  field,
  as: 'list',
  nullable: true,
  does: `${does}, separated by commas`,
});
const flag = (name: string, does: string): ResourceOption => ({
  flags: `--${name.replaceAll('_', '-')} <boolean>`,
  field: name,
  as: 'boolean',
  nullable: true,
  does,
});

const rules: readonly ResourceOption[] = [
  {
    flags: '--description <text>',
    field: 'description',
    as: 'text',
    nullable: true,
    does: 'a sentence',
  },
  {
    flags: '--limit <usd>',
    field: 'limit_usd',
    as: 'usd',
    nullable: true,
    does: 'what each assignee may spend; together with --reset',
  },
  {
    flags: '--reset <interval>',
    field: 'reset_interval',
    as: 'text',
    nullable: true,
    does: 'daily, weekly or monthly',
  },
  {
    flags: '--include-byok <boolean>',
    field: 'include_byok_in_budgets',
    as: 'boolean',
    does: 'spend on your own provider credentials counts as well',
  },
  list('--allowed-providers <slugs>', 'allowed_providers', 'no other provider'),
  list('--ignored-providers <slugs>', 'ignored_providers', 'not these providers'),
  list('--allowed-models <slugs>', 'allowed_models', 'no other model'),
  list('--ignored-models <slugs>', 'ignored_models', 'not these models'),
  list('--allowed-data-regions <regions>', 'allowed_data_regions', 'global, europe, us'),
  flag('enforce_zdr_anthropic', 'zero data retention for this family'),
  flag('enforce_zdr_openai', 'zero data retention for this family'),
  flag('enforce_zdr_google', 'zero data retention for this family'),
  flag('enforce_zdr_xai', 'zero data retention for this family'),
  flag('enforce_zdr_other', 'zero data retention for every other family'),
  flag('enable_paid_model_training', 'endpoints with a price that train on data'),
  flag('enable_free_model_training', 'free endpoints that train on data'),
  flag('enable_free_model_publication', 'free endpoints that publish prompts'),
  {
    flags: '--content-filter-builtins <json>',
    field: 'content_filter_builtins',
    as: 'json',
    nullable: true,
    does: 'a list of {"slug", "action"}, as {"slug": "email", "action": "redact"}',
  },
  {
    flags: '--content-filters <json>',
    field: 'content_filters',
    as: 'json',
    nullable: true,
    does: 'a list of {"pattern", "action", "label"}',
  },
  {
    flags: '--scan-output <unit>',
    field: 'scan_output',
    as: 'text',
    nullable: true,
    does: 'apply the content filters to the output, held back up to a sentence or to the end',
  },
  {
    flags: '--fail-mode <mode>',
    field: 'fail_mode',
    as: 'text',
    nullable: true,
    does: 'block or pass a text that the content filters could not scan',
  },
];

export const guardrails: Resource = {
  words: 'guardrails',
  does: 'what keys, members and workspaces may use and spend',
  operations: [
    {
      name: 'list',
      does: 'all of a workspace',
      method: 'GET',
      path: '/guardrails',
      options: [
        ...paging,
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'default: the default one',
        },
      ],
      columns: ['id', 'name', 'limit_usd', 'reset_interval', 'created_at'],
    },
    { name: 'show', does: 'one of them', method: 'GET', path: '/guardrails/{id}' },
    {
      name: 'create',
      does: 'a new one; it holds for whom it is assigned to',
      method: 'POST',
      path: '/guardrails',
      options: [
        {
          flags: '--name <text>',
          field: 'name',
          as: 'text',
          required: true,
          does: 'what it is called',
        },
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'default: the default one',
        },
        ...rules,
      ],
    },
    {
      name: 'update',
      does: 'what is not named stays as it is',
      method: 'PATCH',
      path: '/guardrails/{id}',
      options: [
        { flags: '--name <text>', field: 'name', as: 'text', does: 'what it is called' },
        ...rules,
      ],
    },
    {
      name: 'test',
      does: 'show what its content filters find in a text; nothing is sent',
      method: 'POST',
      path: '/guardrails/{id}/test',
      options: [
        {
          flags: '--file <path>',
          field: 'text',
          as: 'file',
          required: true,
          does: 'the text; - for what is piped in',
        },
        {
          flags: '--role <role>',
          field: 'role',
          as: 'text',
          does: 'who says it: user, assistant, system, developer or tool; default: user',
        },
      ],
      rows: 'detections',
      columns: ['filter', 'label', 'action', 'pattern', 'start', 'end'],
    },
    { name: 'delete', does: 'with its assignments', method: 'DELETE', path: '/guardrails/{id}' },
    {
      name: 'assign-keys',
      does: 'to keys; another guardrail of theirs gives way',
      method: 'POST',
      path: '/guardrails/{id}/assignments/keys',
      rest: { name: 'hash', field: 'key_hashes' },
    },
    {
      name: 'unassign-keys',
      does: 'from keys',
      method: 'POST',
      path: '/guardrails/{id}/assignments/keys/remove',
      rest: { name: 'hash', field: 'key_hashes' },
    },
    {
      name: 'assign-members',
      does: 'to members; another guardrail of theirs gives way',
      method: 'POST',
      path: '/guardrails/{id}/assignments/members',
      rest: { name: 'user-id', field: 'member_user_ids' },
    },
    {
      name: 'unassign-members',
      does: 'from members',
      method: 'POST',
      path: '/guardrails/{id}/assignments/members/remove',
      rest: { name: 'user-id', field: 'member_user_ids' },
    },
  ],
};

export const guardrailPhrases: Resource = {
  words: 'guardrails allowed-phrases',
  does: 'what the patterns of prompt injection pass over',
  operations: [
    {
      name: 'list',
      does: 'all of the account',
      method: 'GET',
      path: '/guardrails/allowed-phrases',
      isDefault: true,
    },
    {
      name: 'set',
      does: 'these in place of the ones before',
      method: 'PUT',
      path: '/guardrails/allowed-phrases',
      options: [
        {
          flags: '--phrases <json>',
          field: 'phrases',
          as: 'json',
          required: true,
          does: 'a list of texts, as ["act as a reviewer"]; [] takes all away',
        },
      ],
    },
  ],
};

export const unsupportedFeatures: Resource = {
  words: 'guardrails unsupported-features',
  does: 'whether features that nothing serves are left out, or refused',
  operations: [
    {
      name: 'show',
      does: 'the mode of requests that name none',
      method: 'GET',
      path: '/guardrails/unsupported-features',
      isDefault: true,
    },
    {
      name: 'set',
      does: 'change the mode of requests that name none',
      method: 'PUT',
      path: '/guardrails/unsupported-features',
      options: [
        {
          flags: '--mode <mode>',
          field: 'unsupported_features',
          as: 'text',
          required: true,
          does: 'lenient: they are left out and named; strict: the request is refused',
        },
      ],
    },
  ],
};

const keyColumns = ['key_hash', 'key_name', 'guardrail_id', 'created_at'];
const memberColumns = ['user_id', 'guardrail_id', 'created_at'];

export const guardrailAssignments: Resource = {
  words: 'guardrails assignments',
  does: 'whom guardrails hold for',
  operations: [
    {
      name: 'keys',
      does: 'of all guardrails',
      method: 'GET',
      path: '/guardrails/assignments/keys',
      options: paging,
      columns: keyColumns,
    },
    {
      name: 'members',
      does: 'of all guardrails',
      method: 'GET',
      path: '/guardrails/assignments/members',
      options: paging,
      columns: memberColumns,
    },
    {
      name: 'keys-of',
      does: 'of one guardrail',
      method: 'GET',
      path: '/guardrails/{id}/assignments/keys',
      options: paging,
      columns: keyColumns,
    },
    {
      name: 'members-of',
      does: 'of one guardrail',
      method: 'GET',
      path: '/guardrails/{id}/assignments/members',
      options: paging,
      columns: memberColumns,
    },
  ],
};
