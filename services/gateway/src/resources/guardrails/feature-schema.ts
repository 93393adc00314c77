import { Type } from 'typebox';
import { closed, oneOf } from '../../http/schemas/fields.ts';
import { reply } from '../../http/schemas/replies.ts';

const fields = {
  unsupported_features: oneOf(
    ['lenient', 'strict'],
    'Whether features that nothing serves are left out and named, or refused.',
  ),
};

export const unsupportedFeaturesBody = Type.Object(fields, closed);
export const unsupportedFeaturesView = Type.Object(fields);
export const unsupportedFeaturesReply = reply(unsupportedFeaturesView);
