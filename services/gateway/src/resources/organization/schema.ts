import { Type, type Static } from 'typebox';
import { closed, flag, nullable, oneOf, text } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

export const memberView = Type.Object({
  id: text('Id of the user.', 'user_1'),
  email: text('The email address.', 'ada@example.com'),
  first_name: nullable(text('The first name.', 'Ada')),
  last_name: nullable(text('The last name.', 'Lovelace')),
  role: oneOf(['org:admin', 'org:member'], 'What a member may do.'),
});
export type MemberView = Static<typeof memberView>;

export const listMembersQuery = Type.Object(pageFields, closed);
export const memberListReply = pageReply(memberView);

const settings = {
  is_filtered_model_catalog_enabled: flag(
    'Whether lists show only the models that a key can use.',
    false,
  ),
};
export const settingsReply = reply(
  Type.Object({ id: text('Id of the organization.', 'org_1'), ...settings }),
);
export const updateSettingsBody = Type.Object(settings, closed);
