import { paging, type Resource } from './resource.ts';

export const organization: Resource = {
  words: 'organization',
  does: 'settings and members',
  operations: [
    { name: 'settings', does: 'as they are', method: 'GET', path: '/organization/settings' },
    {
      name: 'set',
      does: 'change them',
      method: 'PATCH',
      path: '/organization/settings',
      options: [
        {
          flags: '--filtered-model-catalog <boolean>',
          field: 'is_filtered_model_catalog_enabled',
          as: 'boolean',
          required: true,
          does: 'true: the list of models holds what a key may use',
        },
      ],
    },
    {
      name: 'members',
      does: 'who belongs to it',
      method: 'GET',
      path: '/organization/members',
      options: paging,
      columns: ['id', 'email', 'first_name', 'last_name', 'role'],
    },
  ],
};

export const endUsers: Resource = {
  words: 'end-users',
  does: 'the users of your own product that you registered',
  operations: [
    {
      name: 'list',
      does: 'the active ones',
      method: 'GET',
      path: '/end-users',
      options: [
        ...paging,
        { flags: '--user <id>', field: 'user', as: 'text', does: 'only this one' },
        {
          flags: '--include-inactive <boolean>',
          field: 'include_inactive',
          as: 'text',
          does: 'true: the others as well',
        },
      ],
      columns: ['user', 'is_active', 'created_at', 'updated_at'],
    },
    { name: 'show', does: 'one of them', method: 'GET', path: '/end-users/{user}' },
    {
      name: 'register',
      does: 'a new one',
      method: 'POST',
      path: '/end-users',
      options: [
        { flags: '--user <id>', field: 'user', as: 'text', required: true, does: 'your id' },
      ],
    },
    {
      name: 'update',
      does: 'activate or deactivate',
      method: 'PATCH',
      path: '/end-users/{user}',
      options: [
        {
          flags: '--is-active <boolean>',
          field: 'is_active',
          as: 'boolean',
          required: true,
          does: 'true or false',
        },
      ],
    },
    {
      name: 'delete',
      does: 'deactivate; the id is kept',
      method: 'DELETE',
      path: '/end-users/{user}',
    },
  ],
};
