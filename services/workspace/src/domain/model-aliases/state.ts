import type { ModelAliasesEvent, ModelAliasSet } from './events.ts';

/** The aliases of one account. */
export interface ModelAliases {
  /** If undefined, the account never had one. */
  readonly accountId: string | undefined;
  readonly aliases: readonly ModelAlias[];
}

export interface ModelAlias extends Omit<ModelAliasSet['data'], 'accountId' | 'changedAt'> {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The place of an alias: the same name may stand for other models in a workspace. */
export type Place = Pick<ModelAlias, 'workspaceId' | 'name'>;

export const initial: ModelAliases = { accountId: undefined, aliases: [] };

export function evolve({ aliases }: ModelAliases, event: ModelAliasesEvent): ModelAliases {
  const { accountId } = event.data;
  const before = findAlias(aliases, event.data);
  const others = aliases.filter((one) => one !== before);
  switch (event.type) {
    case 'ModelAliasSet': {
      const { accountId: _accountId, changedAt: updatedAt, ...data } = event.data;
      const createdAt = before?.createdAt ?? updatedAt;
      return { accountId, aliases: [...others, { ...data, createdAt, updatedAt }] };
    }
    case 'ModelAliasDeleted':
      return { accountId, aliases: others };
  }
}

export function findAlias(
  aliases: readonly ModelAlias[],
  { workspaceId, name }: Place,
): ModelAlias | undefined {
  return aliases.find((one) => one.workspaceId === workspaceId && one.name === name);
}

/** Returns the aliases that hold in a workspace. One of the workspace stands before that of the account. */
export function aliasesIn({ aliases }: ModelAliases, workspaceId: string): readonly ModelAlias[] {
  const own = aliases.filter((one) => one.workspaceId === workspaceId);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...aliases.filter((one) => one.workspaceId === null && !names.has(one.name))];
}
