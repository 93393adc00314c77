import { field } from '@sluice/client-schemas';
import { Type, type TSchema } from 'typebox';
import { flag, whole } from './fields.ts';

const description = 'What was asked for.';

export const reply = <View extends TSchema>(view: View) =>
  Type.Object({ data: field(view, description) });
export const listReply = <View extends TSchema>(view: View) => reply(Type.Array(view));

export const totalCount = whole('How many there are on all pages.', 42);
export const pageReply = <View extends TSchema>(view: View) =>
  Type.Object({ data: field(Type.Array(view), description), total_count: totalCount });

export const deletedReply = Type.Object({ deleted: flag('Whether it is deleted: true.') });
