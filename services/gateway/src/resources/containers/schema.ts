import { Type } from 'typebox';
import { instant } from '../../http/schemas/examples.ts';
import { closed, count, text } from '../../http/schemas/fields.ts';
import { listReply, reply } from '../../http/schemas/replies.ts';

const containerId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,40}$',
  mustBe: 'the id of a container',
  description: 'Id of the container: the name that a request gave it, or that of an item.',
  examples: ['my-project'],
});

const fileIdExample = 'cfile_cmVwb3J0LmNzdg';
const fileId = Type.String({
  pattern: '^cfile_[A-Za-z0-9_-]{1,1400}$',
  mustBe: 'the id of a file of a container',
  description: 'Id of the file.',
  examples: [fileIdExample],
});

export const containerParams = Type.Object({ container_id: containerId }, closed);
export const fileParams = Type.Object({ container_id: containerId, file_id: fileId }, closed);

export const containerFileView = Type.Object({
  id: text('Id of the file: its path.', fileIdExample),
  container_id: text('Id of the container.', 'my-project'),
  path: text('The path of the file in the home directory.', 'report.csv'),
  bytes: count('The size of the file.', 1_024),
  created_at: text('When the file was changed last, in UTC.', instant),
});

export const containerFilesReply = listReply(containerFileView);
export const containerFileReply = reply(containerFileView);
