import { paging, type Resource, type ResourceOption } from './resource.ts';

const rules: readonly ResourceOption[] = [
  { flags: '--name <text>', field: 'name', as: 'text', nullable: true, does: 'what it is for' },
  { flags: '--disabled <boolean>', field: 'disabled', as: 'boolean', does: 'true: it is not used' },
  {
    flags: '--is-fallback <boolean>',
    field: 'is_fallback',
    as: 'boolean',
    does: 'true: only after the shared endpoints',
  },
  {
    flags: '--is-required <boolean>',
    field: 'is_required',
    as: 'boolean',
    does: 'true: no shared endpoint of this provider for the models it covers',
  },
  {
    flags: '--is-byok-only <boolean>',
    field: 'is_byok_only',
    as: 'boolean',
    does: 'true: no shared endpoint of this provider at all',
  },
  {
    flags: '--declared-zdr <boolean>',
    field: 'declared_zdr',
    as: 'boolean',
    nullable: true,
    does: 'whether the provider keeps no data under it',
  },
  {
    flags: '--allowed-models <models>',
    field: 'allowed_models',
    as: 'list',
    nullable: true,
    does: 'separated by commas',
  },
  {
    flags: '--allowed-keys <hashes>',
    field: 'allowed_api_key_hashes',
    as: 'hashes',
    nullable: true,
    does: 'separated by commas',
  },
  {
    flags: '--allowed-users <users>',
    field: 'allowed_user_ids',
    as: 'list',
    nullable: true,
    does: 'separated by commas',
  },
];

export const byok: Resource = {
  words: 'byok',
  does: 'your own credentials at providers',
  operations: [
    {
      name: 'list',
      does: 'all of a workspace',
      method: 'GET',
      path: '/byok',
      options: [
        ...paging,
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          does: 'default: the default one',
        },
        {
          flags: '--provider <slug>',
          field: 'provider',
          as: 'text',
          does: 'only of this provider',
        },
      ],
      columns: ['id', 'provider', 'label', 'name', 'disabled', 'is_fallback', 'sort_order'],
    },
    { name: 'show', does: 'one of them', method: 'GET', path: '/byok/{id}' },
    {
      name: 'create',
      does: 'a new one; the credential is kept encrypted and never shown again',
      method: 'POST',
      path: '/byok',
      options: [
        {
          flags: '--provider <slug>',
          field: 'provider',
          as: 'text',
          required: true,
          does: 'whose',
        },
        {
          flags: '--key-file <path>',
          field: 'key',
          as: 'secret',
          required: true,
          does: 'the file with the credential; - reads what is typed or piped in',
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
      path: '/byok/{id}',
      options: [
        {
          flags: '--key-file <path>',
          field: 'key',
          as: 'secret',
          does: 'the file with another credential: it takes the place of this one',
        },
        ...rules,
      ],
    },
    { name: 'delete', does: 'the credential is erased', method: 'DELETE', path: '/byok/{id}' },
  ],
};
