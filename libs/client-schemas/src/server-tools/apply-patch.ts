import { Type } from 'typebox';
import { field, kind, oneOf, optional } from '../fields.ts';

/** `service:apply_patch`: checks a patch of the model, which the client applies (contract inference.md 5.11). */
export const applyPatchTool = Type.Object({
  type: kind('service:apply_patch'),
  parameters: optional(
    Type.Object({
      engine: field(
        optional(oneOf('auto', 'native', 'service')),
        'Who checks the patch. Sluice does in each case.',
        'auto',
      ),
    }),
    'Settings of the tool.',
    {},
  ),
});
