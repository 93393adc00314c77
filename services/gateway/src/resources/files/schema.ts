import { field } from '@sluice/client-schemas';
import { Type } from 'typebox';
import { hash, uuid } from '../../http/schemas/examples.ts';
import { closed, count, createdAt, text } from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';

const fileIdExample = 'svc_file_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d';

/** Takes any text: one that is no id is not found. */
export const fileParams = Type.Object(
  {
    id: text('Id of the file.', fileIdExample),
  },
  closed,
);
export const listFilesQuery = Type.Object(pageFields, closed);

export const fileView = Type.Object({
  id: text('Id of the file.', fileIdExample),
  workspace_id: text('Id of the workspace that it belongs to.', uuid),
  filename: text('Its name, which other files may have, too.', 'report.csv'),
  media_type: text('The type of its content, as the sender gave it.', 'text/csv'),
  bytes: count('The size of its content.', 1_024),
  sha256: text('SHA-256 of its content, in hex.', hash),
  created_at: createdAt,
});

export const fileReply = reply(fileView);
export const fileListReply = pageReply(fileView);

/** For readers: the form is read as it comes, see receive-file.ts. */
export const uploadBody = Type.Object(
  {
    file: field(
      Type.String({ format: 'binary' }),
      'The content of the file, with its name: from 1 to 100,000,000 bytes.',
    ),
  },
  closed,
);
