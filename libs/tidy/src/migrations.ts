import { posix } from 'node:path';

/**
 * Returns the first migration of each folder that has the number of another one, or skips a number: `migrate` throws at
 * both, and the service does not start.
 */
export function misnumberedMigrations(files: readonly string[]): string[] {
  const migrations = files.filter((path) => /\/migrations\/[^/]+\.sql$/.test(path)).toSorted();
  return [...Map.groupBy(migrations, (path) => posix.dirname(path)).values()].flatMap(
    (ofFolder) => {
      const at = ofFolder.findIndex((path, index) => numberOf(path) !== index + 1);
      return at === -1 ? [] : [`${ofFolder[at]}: expected number ${at + 1}`];
    },
  );
}

const numberOf = (path: string) => Number(/^\d{4}(?=_)/.exec(posix.basename(path))?.[0]);
