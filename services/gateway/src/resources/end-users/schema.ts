import { Type, type Static } from 'typebox';
import { closed } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';

const userCharactersMax = 256;

/** As the organization passes it on: any writable text, compared byte by byte. */
const user = Type.String({
  minLength: 1,
  maxLength: userCharactersMax,
  pattern: String.raw`^[^\p{Cc}\p{Cs}]+$`,
  mustBe: `a text of 1 to ${userCharactersMax} characters without control characters`,
});

export const endUserView = Type.Object({
  user: Type.String(),
  is_active: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type EndUserView = Static<typeof endUserView>;

export const endUserReply = Type.Object({ data: endUserView });
export const endUserListReply = Type.Object({
  data: Type.Array(endUserView),
  total_count: Type.Integer(),
});
export const registerEndUserBody = Type.Object({ user }, closed);
export const updateEndUserBody = Type.Object({ is_active: Type.Boolean() }, closed);
/** Percent-encoded in the path: it may hold a slash. */
export const endUserParams = Type.Object({ user });

export const listEndUsersQuery = Type.Object(
  {
    ...pageFields,
    user: Type.Optional(user),
    include_inactive: Type.Optional(Type.Enum(['true', 'false'] as const, { type: 'string' })),
  },
  closed,
);
