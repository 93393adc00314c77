import { Type } from 'typebox';
import { idOf } from './plugin-fields.ts';

/** Has the input moderated. It has no settings and no switch. */
export const moderation = Type.Object({ id: idOf('moderation') });
