import { Type } from 'typebox';
import { closed } from '../../http/schemas/fields.ts';

const fields = {
  unsupported_features: Type.Enum(['lenient', 'strict'] as const, { type: 'string' }),
};

export const unsupportedFeaturesBody = Type.Object(fields, closed);
export const unsupportedFeaturesView = Type.Object(fields);
export const unsupportedFeaturesReply = Type.Object({ data: unsupportedFeaturesView });
