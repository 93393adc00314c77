import { field } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { hash, uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  count,
  createdAt,
  flag,
  nullable,
  oneOf,
  text,
} from '../../http/schemas/fields.ts';
import { offset } from '../../http/schemas/page.ts';
import { totalCount } from '../../http/schemas/replies.ts';

const fileIdExample = 'svc_file_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d';
const id = text('Id of the file.', fileIdExample);

/** Takes any text: one that is no id is not found. */
export const fileParams = Type.Object({ id }, closed);

/** Has the fields of OpenAI's clients: pages by `after`, and a `purpose` that files do not have here. */
export const listFilesQuery = Type.Object(
  {
    offset,
    limit: Type.Optional(
      Type.String({
        pattern: '^(?:[1-9]\\d{0,3}|10000)$',
        mustBe: 'a whole number from 1 to 10000; 50 when it is left out',
        description: 'How many to list; 50 when it is left out. A page has 100 at most.',
        examples: [25],
      }),
    ),
    after: Type.Optional(text('The page begins after the file of this id.', fileIdExample)),
    order: Type.Optional(oneOf(['asc', 'desc'], 'By time; desc when it is left out.', 'asc')),
    purpose: Type.Optional(
      text('Clients of OpenAI send it. It changes nothing, whatever it is.', 'user_data'),
    ),
  },
  closed,
);

/** Has the fields of OpenAI's and Anthropic's clients. */
export const fileView = Type.Object({
  id,
  type: oneOf(['file'], 'It is always file.', 'file'),
  object: oneOf(['file'], 'It is always file.', 'file'),
  workspace_id: text('Id of the workspace that it belongs to.', uuid),
  filename: text('Its name, which other files may have, too.', 'report.csv'),
  mime_type: text('The type of its content, as the sender gave it.', 'text/csv'),
  size_bytes: count('The size of its content.', 1_024),
  bytes: count('The same as size_bytes.', 1_024),
  sha256: text('SHA-256 of its content, in hex.', hash),
  purpose: oneOf(
    ['user_data', 'analytics_export'],
    'Exports of analytics have their own purpose, and only management keys see them.',
    'user_data',
  ),
  downloadable: flag('Whether its content can be read: true.'),
  created_at: createdAt,
});

export const fileListReply = Type.Object({
  object: oneOf(['list'], 'It is always list.', 'list'),
  data: field(Type.Array(fileView), 'What was asked for.'),
  total_count: totalCount,
  has_more: flag('Whether there are more after this page.'),
  first_id: nullable(text('Id of the first file of the page.', fileIdExample)),
  last_id: nullable(text('Id of its last file.', fileIdExample)),
});

export const fileDeletedReply = Type.Object({
  id,
  type: oneOf(['file_deleted'], 'It is always file_deleted.', 'file_deleted'),
  object: oneOf(['file'], 'It is always file.', 'file'),
  deleted: flag('Whether it is deleted: true.'),
});

/** For readers: the form is read as it comes, see receive-file.ts. */
export const uploadBody = Type.Object(
  {
    file: field(
      Type.String({ format: 'binary' }),
      'The content of the file, with its name: from 1 to 100,000,000 bytes.',
    ),
    purpose: Type.Optional(
      text('Clients of OpenAI send it. It changes nothing, whatever it is.', 'user_data'),
    ),
  },
  closed,
);
