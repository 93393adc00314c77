import { type TProperties, type TSchema, Type } from 'typebox';
import { field, integer, kind, optional, text, word } from '../fields.ts';

/** An object of a kind: an item of a request, or a part of one. */
export const item = <const Name extends string, Fields extends TProperties>(
  name: Name,
  fields: Fields,
) => Type.Object({ type: kind(name), ...fields });

export const itemId = field(word, 'Id of the item.', 'item_1');
export const id = optional(word, 'Id of the item.', 'item_1');
export const call_id = field(word, 'Id of the call. Its output has the same one.', 'call_1');
export const server_label = field(word, 'Name of the server.', 'tickets');
export const toolName = field(word, 'Name of the tool.', 'search');
export const toolArguments = field(
  text(),
  'The arguments of the call, as JSON text.',
  '{"city":"Berlin"}',
);
export const file_id = optional(text(), 'Id of a file at the provider.', 'file-1');
export const container_id = optional(text(), 'Id of a container at the provider.', 'cntr_1');
export const timeout_ms = optional(integer(0), 'Time that the command may take.', 10_000);
export const outputMax = optional(
  integer(0),
  'Number of characters that an output may have.',
  4_096,
);
export const path = field(word, 'Path of the file.', 'old.txt');
export const url = field(text(), 'Address of the page or the file.', 'https://example.com');
export const encrypted = field(text(), 'Content that only its writer can read.', 'thought.v1.e30');
export const state = <Schema extends TSchema>(schema: Schema) =>
  field(schema, 'The state of the item.', 'completed');
