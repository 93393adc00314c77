import { paging, type Resource, type ResourceOption } from './resource.ts';

const fields: readonly ResourceOption[] = [
  {
    flags: '--description <text>',
    field: 'description',
    as: 'text',
    nullable: true,
    does: 'a sentence',
  },
  {
    flags: '--default-text-model <slug>',
    field: 'default_text_model',
    as: 'text',
    nullable: true,
    does: 'for requests that name none',
  },
  {
    flags: '--default-image-model <slug>',
    field: 'default_image_model',
    as: 'text',
    nullable: true,
    does: 'for requests that name none',
  },
  {
    flags: '--default-provider-sort <order>',
    field: 'default_provider_sort',
    as: 'text',
    nullable: true,
    does: 'price, throughput, latency or exacto',
  },
  {
    flags: '--io-logging <boolean>',
    field: 'is_observability_io_logging_enabled',
    as: 'boolean',
    does: 'keep prompts and answers',
  },
  {
    flags: '--io-logging-sampling-rate <rate>',
    field: 'io_logging_sampling_rate',
    as: 'number',
    does: 'from 0.0001 to 1',
  },
  {
    flags: '--broadcast <boolean>',
    field: 'is_observability_broadcast_enabled',
    as: 'boolean',
    does: 'send to observability destinations',
  },
  {
    flags: '--data-discount-logging <boolean>',
    field: 'is_data_discount_logging_enabled',
    as: 'boolean',
    does: 'the operator may use its data',
  },
  {
    flags: '--disabled-server-tools <tools>',
    field: 'disabled_server_tools',
    as: 'list',
    nullable: true,
    does: 'separated by commas',
  },
];

export const workspaces: Resource = {
  words: 'workspaces',
  does: 'parts of an account with keys, members and budgets of their own',
  operations: [
    {
      name: 'list',
      does: 'the default one first',
      method: 'GET',
      path: '/workspaces',
      options: paging,
      columns: ['id', 'slug', 'name', 'description', 'created_at'],
    },
    { name: 'show', does: 'one of them, by id or slug', method: 'GET', path: '/workspaces/{id}' },
    {
      name: 'create',
      does: 'a new one',
      method: 'POST',
      path: '/workspaces',
      options: [
        {
          flags: '--name <text>',
          field: 'name',
          as: 'text',
          required: true,
          does: 'what it is called',
        },
        {
          flags: '--slug <slug>',
          field: 'slug',
          as: 'text',
          required: true,
          does: 'its name in a path',
        },
        ...fields,
      ],
    },
    {
      name: 'update',
      does: 'what is not named stays as it is',
      method: 'PATCH',
      path: '/workspaces/{id}',
      options: [
        { flags: '--name <text>', field: 'name', as: 'text', does: 'what it is called' },
        { flags: '--slug <slug>', field: 'slug', as: 'text', does: 'its name in a path' },
        ...fields,
      ],
    },
    {
      name: 'delete',
      does: 'with its budgets, guardrails and memberships; its keys must be gone',
      method: 'DELETE',
      path: '/workspaces/{id}',
      options: [
        {
          flags: '--confirm-default <boolean>',
          field: 'confirm_default_workspace_deletion',
          as: 'text',
          does: 'true: also when it is the default one',
        },
      ],
    },
  ],
};

const users = { name: 'user-id', field: 'user_ids' } as const;

export const workspaceMembers: Resource = {
  words: 'workspaces members',
  does: 'who belongs to a workspace',
  operations: [
    {
      name: 'list',
      does: 'all of them',
      method: 'GET',
      path: '/workspaces/{id}/members',
      options: paging,
      columns: ['user_id', 'role', 'created_at'],
    },
    {
      name: 'add',
      does: 'all or none',
      method: 'POST',
      path: '/workspaces/{id}/members/add',
      rest: users,
    },
    {
      name: 'remove',
      does: 'all or none',
      method: 'POST',
      path: '/workspaces/{id}/members/remove',
      rest: users,
    },
  ],
};

export const workspaceBudgets: Resource = {
  words: 'workspaces budgets',
  does: 'what a workspace may spend: daily, weekly, monthly, lifetime',
  operations: [
    {
      name: 'list',
      does: 'all of them',
      method: 'GET',
      path: '/workspaces/{id}/budgets',
      columns: ['reset_interval', 'limit_usd', 'updated_at', 'id'],
    },
    {
      name: 'show',
      does: 'one of them',
      method: 'GET',
      path: '/workspaces/{id}/budgets/{interval}',
    },
    {
      name: 'set',
      does: 'make or change one',
      method: 'PUT',
      path: '/workspaces/{id}/budgets/{interval}',
      options: [
        { flags: '--limit <usd>', field: 'limit_usd', as: 'usd', required: true, does: 'above 0' },
        {
          flags: '--include-byok <boolean>',
          field: 'include_byok_in_budgets',
          as: 'boolean',
          does: 'for all four: spend on your own provider credentials counts as well',
        },
      ],
    },
    {
      name: 'delete',
      does: 'no cap any more',
      method: 'DELETE',
      path: '/workspaces/{id}/budgets/{interval}',
    },
  ],
};
