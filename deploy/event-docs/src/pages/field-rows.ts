import { DocumentationProblem } from '../problem.ts';
import { type Field, type Shape, typeText } from '../typescript/shapes.ts';
import { code, sentences } from './markdown.ts';

/** Rows name, type, meaning: one for each field, and below an object one for each of its own. */
export function fieldRows(
  fields: readonly Field[],
  prefix = '',
): readonly (readonly [string, string, string])[] {
  return fields.flatMap(({ name, optional, comment, shape }) => {
    const path = `${prefix}${name}`;
    const type = optional ? `${typeText(shape)} (or absent)` : typeText(shape);
    const inner = innerObject(shape, path);
    const meaning = sentences(comment, commentsWithin(shape));
    return [[code(path), code(type), meaning], ...fieldRows(inner.fields, inner.prefix)] as const;
  });
}

/** What the declared types of a field say of themselves. */
function commentsWithin(shape: Shape): string {
  const within =
    shape.kind === 'union' ? shape.members : shape.kind === 'array' ? [shape.element] : [];
  return sentences(...new Set([shape.comment, ...within.map(({ comment }) => comment)]));
}

function innerObject(shape: Shape, path: string): { fields: readonly Field[]; prefix: string } {
  if (shape.kind === 'array') return innerObject(shape.element, `${path}[]`);
  const objects = (shape.kind === 'union' ? shape.members : [shape]).filter(
    (one) => one.kind === 'object' || one.kind === 'array',
  );
  const [first] = objects;
  if (objects.length > 1)
    throw new DocumentationProblem(`${path}: a choice between objects or lists has no table yet`);
  if (first?.kind === 'array') return innerObject(first, path);
  return { fields: first?.kind === 'object' ? first.fields : [], prefix: `${path}.` };
}
