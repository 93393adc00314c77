import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';

/**
 * Describes the streams of one aggregate: their names, and the data of each event in its version of
 * today. It is the one source of the types and of the documents. Nothing is validated against it
 * when events are read or written.
 */
export interface StreamSchema {
  /** The name of a stream is `${category}-${id}`; a category has no hyphen. */
  readonly category: string;
  /** The id in words, each part in brackets: `<account id>.<user id>`. */
  readonly id: string;
  /** One sentence on the events of such a stream. */
  readonly description: string;
  /** The data of each type of event. The description says what the event means. */
  readonly events: Readonly<Record<string, TObject>>;
}

/** The type that a schema describes, read-only at every depth. */
export type Shape<Schema extends TSchema> = Frozen<Static<Schema>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T;

/** The union of the events of a stream, or those of the named types. */
export type EventOf<
  Stream extends StreamSchema,
  Type extends keyof Stream['events'] = keyof Stream['events'],
> = Type extends keyof Stream['events'] & string
  ? { readonly type: Type; readonly data: Shape<Stream['events'][Type]> }
  : never;

/** Returns the schema of the data of an event. The description says what the event means. */
export function event<Fields extends TProperties>(description: string, fields: Fields) {
  return Type.Object(fields, { description });
}

export function nullable<Schema extends TSchema>(schema: Schema, description?: string) {
  return Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
}

export const instant = Type.String({ description: 'ISO 8601, UTC, milliseconds.' });

export const nanoUsd = Type.String({
  description: 'A whole number of nano-USD above 0, in decimal digits.',
});
