import { exportBounds, exportFormats, exportTableNames } from '@sluice/analytics-model';
import { type Static, Type } from 'typebox';
import { uuid } from '../../http/schemas/examples.ts';
import {
  closed,
  count,
  createdAt,
  nullable,
  oneOf,
  text,
  utcInstant,
} from '../../http/schemas/fields.ts';
import { pageFields } from '../../http/schemas/page.ts';
import { pageReply, reply } from '../../http/schemas/replies.ts';
import { analyticsQueryBody } from './schema.ts';

const { metrics, limit: _limit, group_limit, ...question } = analyticsQueryBody.properties;

const format = oneOf([...exportFormats], 'The format of the file.', 'parquet');
const table = oneOf(
  [...exportTableNames],
  'All rows of a table, instead of the answer to a question: each request and tool call (31 days at most), sums per ' +
    'hour (62 days) or sums per day (400 days). `time_range` begins and ends at whole hours or days.',
  'usage_day',
);

export const createExportBody = Type.Object(
  {
    format,
    table: Type.Optional(table),
    metrics: Type.Optional(metrics),
    ...question,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: exportBounds.rows,
        mustBe: `a whole number from 1 to ${exportBounds.rows}`,
        description: `The most rows. When absent, all rows, and an export of more than ${exportBounds.rows} fails.`,
        examples: [100_000],
      }),
    ),
    group_limit,
    destination: Type.Optional(
      oneOf(
        ['files', 's3'],
        'Where the rows go. `files` is the workspace of the key, `s3` the bucket of `destination_id`.',
        'files',
      ),
    ),
    destination_id: Type.Optional(
      Type.String({
        format: 'uuid',
        mustBe: 'the id of a destination',
        description:
          'An enabled destination of type `s3` (`GET /observability/destinations`). Its bucket gets the rows.',
        examples: [uuid],
      }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        format: 'parquet',
        table: 'usage_day',
        time_range: { start: '2026-11-01T00:00:00Z', end: '2026-11-20T00:00:00Z' },
      },
    ],
  },
);
export type CreateExportBody = Static<typeof createExportBody>;

const id = text('Id of the export.', uuid);
/** Takes any text: one that is no id is not found. */
export const exportParams = Type.Object({ id }, closed);
export const listExportsQuery = Type.Object(pageFields, closed);

const at = (description: string) => nullable(text(description, '2026-11-20T09:30:02.000Z'));

export const exportView = Type.Object({
  id,
  status: oneOf(
    ['queued', 'running', 'completed', 'failed'],
    'It is `completed` once the file, or the last part, is there.',
    'completed',
  ),
  format,
  table: nullable(table),
  time_range: Type.Object(
    {
      start: Type.String({ ...utcInstant, description: 'The first instant.' }),
      end: Type.String({ ...utcInstant, description: 'The instant behind the last one.' }),
    },
    { description: 'What the rows are about.' },
  ),
  file_id: nullable(
    text(
      'Id of the file, for `GET /files/{id}/content` with a management key.',
      'svc_export_2a1fd2b66a554f0b9d4e5a3a1f6b7c8d',
    ),
  ),
  destination_id: nullable(text('The destination whose bucket gets the rows.', uuid)),
  location: nullable(
    text(
      'The folder of the parts and of `manifest.json`, which names them, in the bucket.',
      `s3://reports/service-traces/exports/${uuid}/`,
    ),
  ),
  part_count: nullable(count('Number of parts in the bucket: each is a file of its own.', 3)),
  row_count: nullable(count('Number of rows.', 1_204)),
  size_bytes: nullable(count('The size of the file, or of all parts.', 48_211)),
  error: nullable(text('Why the export failed.', 'It has more than 100000000 bytes')),
  warnings: Type.Array(text('A sentence.', 'usage before … is not kept in this detail'), {
    description: 'What the file leaves out.',
  }),
  created_at: createdAt,
  started_at: at('When the work began, in UTC.'),
  finished_at: at('When it was completed or failed, in UTC.'),
});

export const exportReply = reply(exportView);
export const exportListReply = pageReply(exportView);
