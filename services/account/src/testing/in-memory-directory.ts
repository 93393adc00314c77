import type { DirectorySnapshot, DirectorySource, Pulled } from '../directory/directory-source.ts';

export interface InMemoryDirectory extends DirectorySource {
  /** Groups with the ids of their members; who is named is an active user `<id>@example.com`. */
  say(groups: Readonly<Record<string, readonly string[]>>, inactive?: readonly string[]): void;
  fail(reason: string): void;
  /** Called before each pull. An error that it throws is the failure of the pull. */
  onPull: () => void | Promise<void>;
  readonly pulls: () => number;
}

/** A directory of one organization with the content that a test sets. */
export function inMemoryDirectory(): InMemoryDirectory {
  let answer: Pulled = { kind: 'pulled', snapshot: { users: [], groups: [] } };
  let pulls = 0;
  const directory: InMemoryDirectory = {
    onPull: () => undefined,
    async pull() {
      pulls++;
      await directory.onPull();
      return answer;
    },
    say(groups, inactive = []) {
      const ids = [...new Set([...Object.values(groups).flat(), ...inactive])];
      const snapshot: DirectorySnapshot = {
        users: ids.map((id) => ({
          externalId: `00u-${id}`,
          email: `${id}@example.com`,
          isActive: !inactive.includes(id),
        })),
        groups: Object.entries(groups).map(([displayName, members]) => ({
          externalId: `00g-${displayName}`,
          displayName,
          memberIds: members.map((id) => `00u-${id}`),
        })),
      };
      answer = { kind: 'pulled', snapshot };
    },
    fail(reason) {
      answer = { kind: 'failed', reason };
    },
    pulls: () => pulls,
  };
  return directory;
}
