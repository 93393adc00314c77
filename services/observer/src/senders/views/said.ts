import type { ContentMessage, Contents } from '@sluice/generation-contents';

export interface Said {
  readonly role: string;
  readonly content: string;
}

/** Returns the messages in the form that most pages show: a role, and one text. */
export function inputOf({ system, input }: Contents): readonly Said[] {
  const instructions = system.length > 0 ? [{ role: 'system', parts: system }] : [];
  return [...instructions, ...input].map(saidOf);
}

/** Returns the answers, as `inputOf` the messages. */
export function outputOf({ output }: Contents): readonly Said[] {
  return output.map(saidOf);
}

function saidOf({ role, parts }: Pick<ContentMessage, 'parts'> & { readonly role: string }): Said {
  const texts = parts.map((part) =>
    part.type === 'text' || part.type === 'reasoning' ? part.content : JSON.stringify(part),
  );
  return { role, content: texts.join('\n') };
}
