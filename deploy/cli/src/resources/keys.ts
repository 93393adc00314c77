import type { Resource, ResourceOption } from './resource.ts';

const limits: readonly ResourceOption[] = [
  { flags: '--limit <usd>', field: 'limit', as: 'usd', nullable: true, does: 'what it may spend' },
  {
    flags: '--limit-reset <interval>',
    field: 'limit_reset',
    as: 'text',
    nullable: true,
    does: 'daily, weekly or monthly',
  },
  {
    flags: '--include-byok-in-limit <boolean>',
    field: 'include_byok_in_limit',
    as: 'boolean',
    does: 'spend on your own provider credentials counts as well',
  },
];

export const keys: Resource = {
  words: 'keys',
  does: 'API keys for inference',
  operations: [
    {
      name: 'list',
      does: 'a hundred of them, the newest first',
      method: 'GET',
      path: '/keys',
      options: [
        { flags: '--offset <count>', field: 'offset', as: 'text', does: 'leave out so many' },
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'default: the default one',
        },
        {
          flags: '--include-disabled <boolean>',
          field: 'include_disabled',
          as: 'text',
          does: 'true: disabled ones as well',
        },
      ],
      columns: [
        'hash',
        'label',
        'name',
        'disabled',
        'limit',
        'limit_remaining',
        'usage',
        'created_at',
      ],
    },
    { name: 'show', does: 'one of them', method: 'GET', path: '/keys/{hash}' },
    {
      name: 'create',
      does: 'a new one; its secret is shown this once',
      method: 'POST',
      path: '/keys',
      options: [
        {
          flags: '--name <text>',
          field: 'name',
          as: 'text',
          required: true,
          does: 'what it is for',
        },
        ...limits,
        {
          flags: '--expires-at <instant>',
          field: 'expires_at',
          as: 'text',
          does: 'in UTC with seconds',
        },
        {
          flags: '--creator <user>',
          field: 'creator_user_id',
          as: 'text',
          does: 'the member it is of',
        },
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'default: the default one',
        },
      ],
    },
    {
      name: 'update',
      does: 'what is not named stays as it is',
      method: 'PATCH',
      path: '/keys/{hash}',
      options: [
        { flags: '--name <text>', field: 'name', as: 'text', does: 'what it is for' },
        {
          flags: '--disabled <boolean>',
          field: 'disabled',
          as: 'boolean',
          does: 'true: it opens nothing',
        },
        ...limits,
      ],
    },
    {
      name: 'delete',
      does: 'it opens nothing from now on',
      method: 'DELETE',
      path: '/keys/{hash}',
    },
  ],
};
