type Absent<Type> = { readonly [Name in keyof Type]: Type[Name] | undefined };

/** Returns the fields that are set. */
export function withoutAbsent<Type extends object>(values: Absent<Type>): Type {
  const present: Partial<Type> = {};
  for (const name in values) {
    const value = values[name];
    if (value !== undefined) present[name] = value;
  }
  return present as Type;
}
