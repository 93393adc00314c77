import { event, type EventOf, instant, nullable } from '@sluice/es';
import { Type } from 'typebox';

/** Each event names the account and the place of the alias, so that no event needs another one to be understood. */
const alias = {
  accountId: Type.String(),
  workspaceId: nullable(Type.String(), 'Where the alias holds; null: in the whole account.'),
  aliasId: Type.String(),
  name: Type.String({ description: 'What requests give as their model.' }),
};

/** The events of the aliases of an account. Names and shapes are the storage format. */
export const modelAliasesStream = {
  category: 'modelAliases',
  id: '<account id>',
  description: 'The names of an account that stand for models of the catalog.',
  events: {
    ModelAliasSet: event('The name stands for these models from now on.', {
      ...alias,
      models: Type.Array(Type.String(), { description: 'The first choice first.' }),
      budgetModel: nullable(
        Type.String(),
        'The model that goes on when a budget does not hold the others; null: none.',
      ),
      description: nullable(Type.String()),
      version: Type.Integer({ description: 'From 1; one more with each change of the alias.' }),
      changedAt: instant,
    }),
    ModelAliasDeleted: event('The name stands for nothing any more.', {
      ...alias,
      changedAt: instant,
    }),
  },
};
export type ModelAliasesEvent = EventOf<typeof modelAliasesStream>;
export type ModelAliasSet = EventOf<typeof modelAliasesStream, 'ModelAliasSet'>;
