import type { Source } from './source.ts';

/** Folders of a service whose modules may read streams: commands, what follows from events, and how both do it. */
const readingFolders = ['commands', 'reactions', 'store', 'clients'];

/**
 * Modules of `rpc/` that carry out commands, and hand the event store on to them. past-key.ts answers what a key was at
 * an instant: no read model has that, and no request of inference asks for it.
 */
const commandModules = [
  'services/account/src/rpc/account-service.ts',
  'services/account/src/rpc/audit-service.ts',
  'services/account/src/rpc/end-user-service.ts',
  'services/account/src/rpc/member-calls.ts',
  'services/account/src/rpc/private-endpoint-service.ts',
  'services/account/src/rpc/scim-service.ts',
  'services/guardrail/src/rpc/dependencies.ts',
  'services/key/src/rpc/key-service.ts',
  'services/key/src/rpc/past-key.ts',
  'services/workspace/src/rpc/alias-calls.ts',
  'services/workspace/src/rpc/budget-calls.ts',
  'services/workspace/src/rpc/dependencies.ts',
  'services/workspace/src/rpc/file-calls.ts',
  'services/workspace/src/rpc/member-calls.ts',
  'services/workspace/src/rpc/preset-calls.ts',
  'services/workspace/src/rpc/workspace-calls.ts',
];

/** Each service puts its parts together in one module. */
const composition = ['service.ts', 'main.ts'];

/** Names by which a module gets at the event store, or at what folds a stream of it. */
const read = 'EventStore|eventStore|loadAggregate|aggregateAfter|aggregatesIn|Aggregates';
const names = new RegExp(`\\b(?:${read})\\b|Events\\.load\\(`);

/** `where: what` for each module of a service that could read the event store and is no command. */
export function eventStoreReaders(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, isTest }) => path.startsWith('services/') && !isTest)
    .filter(({ path }) => !path.includes('/testing/'))
    .filter(({ inside }) => !readingFolders.some((folder) => inside.startsWith(`${folder}/`)))
    .filter(({ inside }) => !composition.includes(inside))
    .filter(({ path }) => !commandModules.includes(path))
    .flatMap(({ path, text }) => {
      const found = names.exec(withoutComments(text))?.[0];
      return found === undefined ? [] : [`${path}: ${found}`];
    });
}

/** Commands that no longer name the event store: the list above must not outlive its reasons. */
export function listedInVain(sources: readonly Source[]): string[] {
  return commandModules.filter((path) => {
    const text = sources.find((source) => source.path === path)?.text;
    return text === undefined || !names.test(withoutComments(text));
  });
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
