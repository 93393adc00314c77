import { Type } from 'typebox';
import { kind, optional } from '../fields.ts';

/** `service:files`: lets the model work on files of the workspace (contract inference.md 5.7). It has no settings. */
export const filesTool = Type.Object({
  type: kind('service:files'),
  parameters: optional(
    Type.Object({}, { additionalProperties: false, mustBe: 'an empty object' }),
    'Must be empty: the tool has no settings.',
    {},
  ),
});
