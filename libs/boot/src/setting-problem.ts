interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** Returns one sentence: the name of a setting, and what it may be. Its value is never shown. */
export function settingProblem(name: string, property: object = {}, isGiven: boolean): string {
  const { description } = property as Property;
  const explained = description === undefined ? '' : ` (${description})`;
  if (!isGiven) return `${name} is missing: it must be ${mayBe(property)}${explained}`;
  return `${name} must be ${mayBe(property)}${explained}`;
}

function mayBe(property: Property): string {
  const words =
    property.enum ??
    (property.anyOf?.every((word) => word.const !== undefined) === true
      ? property.anyOf.map((word) => word.const)
      : undefined);
  if (words !== undefined) return `one of ${words.join(', ')}`;
  switch (property.type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return `${property.type === 'integer' ? 'a whole number' : 'a number'}${range(property)}`;
    default:
      return `a text${shape(property)}`;
  }
}

function range({ minimum, maximum }: Property): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? '' : ` of at most ${maximum}`;
}

function shape({ minLength, maxLength, pattern }: Property): string {
  const bounds = [
    minLength === undefined ? '' : `at least ${minLength}`,
    maxLength === undefined ? '' : `at most ${maxLength}`,
  ].filter(Boolean);
  const long = bounds.length === 0 ? '' : ` of ${bounds.join(' and ')} characters`;
  return pattern === undefined ? long : `${long} that matches ${pattern}`;
}
