/** The built-in filters. */
export const builtinSlugs = [
  'email',
  'phone',
  'ssn',
  'credit-card',
  'ip-address',
  'secrets',
  'person-name',
  'address',
  'regex-prompt-injection',
] as const;
export type BuiltinSlug = (typeof builtinSlugs)[number];

export type FilterAction = 'flag' | 'redact' | 'block';

/** A filter that a guardrail asks for (management.md, section 12). */
export interface BuiltinFilter {
  readonly slug: BuiltinSlug;
  readonly action: FilterAction;
}

export interface CustomFilter {
  /** In JavaScript's notation, as the linear-time engine takes it. */
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label: string | null;
}

export interface FilterSet {
  readonly builtin: readonly BuiltinFilter[];
  readonly custom: readonly CustomFilter[];
  /** Phrases that the patterns of prompt injection pass over. */
  readonly allowedPhrases?: readonly string[];
}

/** Which kind of engine finds the content: entities are guesses, patterns are not. */
export type Engine = 'regex' | 'entities';

/** The replacement of redacted content, and the name in the message of a block. */
export const labels: Readonly<Record<BuiltinSlug, string>> = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  ssn: '[SSN]',
  'credit-card': '[CREDIT_CARD]',
  'ip-address': '[IP_ADDRESS]',
  secrets: '[SECRET]',
  'person-name': '[PERSON_NAME]',
  address: '[ADDRESS]',
  'regex-prompt-injection': '[PROMPT_INJECTION]',
};

export function isBuiltinSlug(slug: string): slug is BuiltinSlug {
  return (builtinSlugs as readonly string[]).includes(slug);
}
