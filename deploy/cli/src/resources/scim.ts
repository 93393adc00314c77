import { paging, type Resource, type ResourceOption } from './resource.ts';

const role: ResourceOption = {
  flags: '--role <role>',
  field: 'role',
  as: 'text',
  required: true,
  does: 'admin or member',
};

export const scimGroups: Resource = {
  words: 'scim',
  does: 'groups of the directory, what they give, and when they are read',
  operations: [
    {
      name: 'groups',
      does: 'as the directory last had them',
      method: 'GET',
      path: '/scim/groups',
      options: paging,
      columns: ['id', 'display_name', 'external_id', 'updated_at'],
    },
  ],
};

export const scimMappings: Resource = {
  words: 'scim mappings',
  does: 'which group gives which workspace',
  operations: [
    {
      name: 'list',
      does: 'all of them',
      method: 'GET',
      path: '/scim/group-mappings',
      options: paging,
      columns: ['id', 'scim_group_id', 'workspace_id', 'role', 'created_at'],
    },
    { name: 'show', does: 'one of them', method: 'GET', path: '/scim/group-mappings/{id}' },
    {
      name: 'create',
      does: 'a new one',
      method: 'POST',
      path: '/scim/group-mappings',
      options: [
        {
          flags: '--group <id>',
          field: 'scim_group_id',
          as: 'text',
          required: true,
          does: 'which group',
        },
        {
          flags: '--workspace <id>',
          field: 'workspace_id',
          as: 'text',
          required: true,
          does: 'which workspace',
        },
        role,
      ],
    },
    {
      name: 'update',
      does: 'another role',
      method: 'PATCH',
      path: '/scim/group-mappings/{id}',
      options: [role],
    },
    {
      name: 'delete',
      does: 'the group gives the workspace no more',
      method: 'DELETE',
      path: '/scim/group-mappings/{id}',
      options: [
        {
          flags: '--keep-members <boolean>',
          field: 'keep_members',
          as: 'text',
          required: true,
          does: 'true: who is in stays in',
        },
      ],
    },
  ],
};

export const scimJobs: Resource = {
  words: 'scim sync',
  does: 'reading the directory',
  operations: [
    {
      name: 'start',
      does: 'begin, or name the one that runs',
      method: 'POST',
      path: '/scim/sync-jobs',
    },
    { name: 'show', does: 'how far one is', method: 'GET', path: '/scim/sync-jobs/{id}' },
  ],
};
