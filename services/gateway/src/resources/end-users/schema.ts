import { Type, type Static } from 'typebox';
import { closed, createdAt, flag, text, truth, updatedAt } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const userCharactersMax = 256;
const shown = text('A name for the person that a request is made for.', 'customer-7');
const isActive = flag('Whether the registration is active. Neither state stops requests.');

/** The name that the organization passes on: any writable text, compared byte by byte. */
const user = Type.String({
  ...shown,
  minLength: 1,
  maxLength: userCharactersMax,
  pattern: String.raw`^[^\p{Cc}\p{Cs}]+$`,
  mustBe: `a text of 1 to ${userCharactersMax} characters without control characters`,
});

export const endUserView = Type.Object({
  user: shown,
  is_active: isActive,
  created_at: createdAt,
  updated_at: updatedAt,
});
export type EndUserView = Static<typeof endUserView>;

export const endUserReply = reply(endUserView);
export const endUserListReply = pageReply(endUserView);
export const registerEndUserBody = Type.Object({ user }, closed);
export const updateEndUserBody = Type.Object({ is_active: isActive }, closed);
/** Percent-encoded in the path: it may hold a slash. */
export const endUserParams = Type.Object({ user });

export const listEndUsersQuery = Type.Object(
  {
    ...pageFields,
    user: Type.Optional(user),
    include_inactive: Type.Optional(truth('Whether inactive ones are listed as well.')),
  },
  closed,
);
