import { DocumentationProblem } from '../problem.ts';

export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'mark' | 'end';
  /** As written; of a text what is between its quotes. */
  readonly text: string;
  /** The doc comment right before it, without its stars; empty when there is none. */
  readonly comment: string;
  readonly line: number;
}

const lexicon = {
  space: /\s+/y,
  comment: /\/\*\*[\s\S]*?\*\//y,
  remark: /\/\/[^\n]*|\/\*[\s\S]*?\*\//y,
  name: /[A-Za-z_$][\w$]*/y,
  text: /'[^'\\\n]*'/y,
  number: /\d+/y,
  mark: /[{}[\]()<>|&=:;,?]/y,
} as const;
type Piece = keyof typeof lexicon;

/** Splits declarations of types. Throws on anything that declarations of types do not consist of. */
export function tokenize(source: string, where: string): readonly Token[] {
  const tokens: Token[] = [];
  let comment = '';
  let line = 1;
  for (let at = 0; at < source.length;) {
    const found = pieceAt(source, at);
    if (!found) {
      const unknown = JSON.stringify(source.slice(at, at + 20));
      throw new DocumentationProblem(`${where}:${line}: not a declaration of a type: ${unknown}`);
    }
    const { piece, written } = found;
    if (piece === 'comment') comment = words(written);
    else if (piece !== 'space' && piece !== 'remark') {
      const text = piece === 'text' ? written.slice(1, -1) : written;
      tokens.push({ kind: piece, text, comment, line });
      comment = '';
    }
    line += written.split('\n').length - 1;
    at += written.length;
  }
  return [...tokens, { kind: 'end', text: 'the end of the file', comment: '', line }];
}

function pieceAt(source: string, at: number): { piece: Piece; written: string } | undefined {
  for (const piece of Object.keys(lexicon) as Piece[]) {
    const pattern = lexicon[piece];
    pattern.lastIndex = at;
    const written = pattern.exec(source)?.[0];
    if (written !== undefined) return { piece, written };
  }
  return undefined;
}

/** The words of a doc comment, in one line. */
export function words(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}
