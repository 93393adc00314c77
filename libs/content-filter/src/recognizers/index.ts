import type { BuiltinSlug } from '../filter.ts';
import type { Recognizer } from '../recognizer.ts';

/** Loads the recognizer of a built-in filter: a process without the filter does not pay for it. */
export async function recognizerOf(
  slug: BuiltinSlug,
  allowedPhrases: readonly string[],
): Promise<Recognizer> {
  switch (slug) {
    case 'email':
      return (await import('./email.ts')).email;
    case 'phone':
      return (await import('./phone.ts')).phone;
    case 'ssn':
      return (await import('./ssn.ts')).ssn;
    case 'credit-card':
      return (await import('./credit-card.ts')).creditCard;
    case 'ip-address':
      return (await import('./ip-address.ts')).ipAddress;
    case 'secrets':
      return (await import('./secrets/secrets.ts')).secrets;
    case 'person-name':
      return (await import('./person/person-name.ts')).personName;
    case 'address':
      return (await import('./address.ts')).address;
    case 'regex-prompt-injection': {
      const { findInjections, foldedPhrases } = await import('./injection/injection.ts');
      const folded = foldedPhrases(allowedPhrases);
      return { find: (text) => findInjections(text, folded) };
    }
  }
}
