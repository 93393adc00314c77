/** A part of a content: an object with one of the fields of the API. */
export type Part = Readonly<Record<string, unknown>>;

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

/** The parts of the model that its API refuses without a signature. */
export type Signed = 'nothing' | 'calls' | 'all';

/** Google's placeholder for the signature of a part that has none or that another model made. */
const placeholder = 'skip_thought_signature_validator';

/** Attaches the signatures of the thoughts before some parts: each to a picture, or the last one to the first part. */
export function withSignatures(
  parts: readonly Part[],
  signatures: readonly string[],
): readonly Part[] {
  if (signatures.length === 0) return parts;
  if (!parts.some(isPicture)) {
    const [first = {}, ...rest] = parts;
    return [{ ...first, thoughtSignature: signatures.at(-1) }, ...rest];
  }
  const left = [...signatures];
  return parts.map((part) => {
    const thoughtSignature = isPicture(part) ? left.shift() : undefined;
    return thoughtSignature === undefined ? part : { ...part, thoughtSignature };
  });
}

/** Gives a placeholder to each part without the signature that the API demands. */
export function withPlaceholders(content: Content, signed: Signed): Content {
  const { role, parts } = content;
  if (role === 'user' || signed === 'nothing') return content;
  const firstCall = parts.find((part) => 'functionCall' in part);
  const isDemanded = (part: Part, index: number): boolean =>
    part === firstCall || (signed === 'all' && (index === 0 || isPicture(part)));
  return {
    role,
    parts: parts.map((part, index) =>
      isDemanded(part, index) && part['thoughtSignature'] === undefined
        ? { ...part, thoughtSignature: placeholder }
        : part,
    ),
  };
}

function isPicture(part: Part): boolean {
  return 'inlineData' in part || 'fileData' in part;
}
