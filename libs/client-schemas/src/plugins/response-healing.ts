import { Type } from 'typebox';
import { enabled, idOf } from './plugin-fields.ts';

/** Repairs the JSON of whole answers. */
export const responseHealing = Type.Object({ id: idOf('response-healing'), enabled });
