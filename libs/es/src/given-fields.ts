type Given<Fields> = { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };

/** Leaves out what is undefined: a change names only the fields that do not stay as they are. */
export function givenFields<Fields extends object>(fields: Fields): Given<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Fields>;
}
