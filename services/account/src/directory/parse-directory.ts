import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { DirectorySnapshot, Pulled } from './directory-source.ts';

const usersMax = 10_000;
const groupsMax = 1_000;
const membersPerGroupMax = 3_000;
const membershipsMax = 100_000;

/** Control characters and halves of surrogate pairs have no place in an id or a name. */
const writable = String.raw`^[^\p{Cc}\p{Cs}]+$`;
const id = Type.String({ maxLength: 128, pattern: writable });

/** The answer of a directory. Other fields are ignored. */
const schema = Type.Object({
  users: Type.Array(
    Type.Object({
      id,
      email: Type.String({
        maxLength: 254,
        pattern: String.raw`^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$`,
      }),
      active: Type.Optional(Type.Boolean()),
    }),
    { maxItems: usersMax },
  ),
  groups: Type.Array(
    Type.Object({
      id,
      display_name: Type.String({ maxLength: 256, pattern: writable }),
      members: Type.Array(id, { maxItems: membersPerGroupMax }),
    }),
    { maxItems: groupsMax },
  ),
});

/** The JSON text of a directory, checked: all of it or nothing. */
export function parseDirectory(text: string): Pulled {
  const value = parseJson(text);
  if (value === undefined) return failed('The directory did not answer with JSON');
  if (!Value.Check(schema, value)) {
    const [first] = Value.Errors(schema, value);
    const where = first?.instancePath.slice(1).replaceAll('/', '.') || 'the whole';
    return failed(`The directory answered with something else: ${where} ${first?.message ?? ''}`);
  }
  const snapshot: DirectorySnapshot = {
    users: value.users.map(({ id: externalId, email, active }) => ({
      externalId,
      email: email.toLowerCase(),
      isActive: active ?? true,
    })),
    groups: value.groups.map(({ id: externalId, display_name: displayName, members }) => ({
      externalId,
      displayName,
      memberIds: [...new Set(members)],
    })),
  };
  const problem = problemOf(snapshot);
  return problem === undefined ? { kind: 'pulled', snapshot } : failed(problem);
}

function problemOf({ users, groups }: DirectorySnapshot): string | undefined {
  if (hasTwice(users)) return 'The directory has two users with the same id';
  if (hasTwice(groups)) return 'The directory has two groups with the same id';
  const memberships = groups.reduce((sum, { memberIds }) => sum + memberIds.length, 0);
  if (memberships > membershipsMax)
    return `The groups of the directory have more than ${membershipsMax} members together`;
  return undefined;
}

function hasTwice(items: readonly { readonly externalId: string }[]): boolean {
  return new Set(items.map(({ externalId }) => externalId)).size < items.length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function failed(reason: string): Pulled {
  return { kind: 'failed', reason };
}
