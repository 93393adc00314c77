import { DocumentationProblem } from '../problem.ts';
import { type Token, tokenize } from './tokens.ts';

/** A type as it is written. */
export type TypeNode =
  | { readonly kind: 'keyword'; readonly name: Keyword }
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'object'; readonly fields: readonly FieldNode[] }
  | { readonly kind: 'array'; readonly element: TypeNode }
  | {
      readonly kind: 'reference';
      readonly name: string;
      readonly arguments: readonly TypeNode[];
    }
  | { readonly kind: 'union' | 'intersection'; readonly members: readonly TypeNode[] };

export interface FieldNode {
  readonly name: string;
  readonly optional: boolean;
  readonly comment: string;
  readonly type: TypeNode;
}

export interface Declaration {
  readonly name: string;
  readonly comment: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly fallback: TypeNode | undefined;
  }[];
  readonly type: TypeNode;
}

const keywords = ['string', 'number', 'boolean', 'null', 'object'] as const;
export type Keyword = (typeof keywords)[number];
const isKeyword = (name: string): name is Keyword => (keywords as readonly string[]).includes(name);

/**
 * The interfaces and type aliases of a file that holds nothing else: readonly fields, literals,
 * unions, intersections, type parameters. Throws, with file and line, on whatever it does not know.
 */
export function parseDeclarations(source: string, where: string): readonly Declaration[] {
  const parser = new Parser(tokenize(source, where), where);
  const declarations: Declaration[] = [];
  while (!parser.atEnd()) declarations.push(parser.declaration());
  return declarations;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #where: string;
  #next = 0;

  constructor(tokens: readonly Token[], where: string) {
    this.#tokens = tokens;
    this.#where = where;
  }

  atEnd(): boolean {
    return this.#peek().kind === 'end';
  }

  declaration(): Declaration {
    const { comment } = this.#peek();
    this.#take('export');
    if (this.#take('interface')) {
      const name = this.#name();
      return { name, comment, parameters: this.#parameters(), type: this.#object() };
    }
    if (!this.#take('type')) this.#fail('an interface or a type alias, declared in this file,');
    const name = this.#name();
    const parameters = this.#parameters();
    this.#expect('=');
    const type = this.#type();
    this.#expect(';');
    return { name, comment, parameters, type };
  }

  #parameters(): Declaration['parameters'] {
    const parameters: { name: string; fallback: TypeNode | undefined }[] = [];
    if (!this.#take('<')) return parameters;
    do {
      const name = this.#name();
      if (this.#take('extends')) this.#type();
      parameters.push({ name, fallback: this.#take('=') ? this.#type() : undefined });
    } while (this.#take(','));
    this.#expect('>');
    return parameters;
  }

  #type(): TypeNode {
    this.#take('|');
    return this.#list('|', 'union', () =>
      this.#list('&', 'intersection', () => {
        let type = this.#single();
        while (this.#take('[')) {
          this.#expect(']');
          type = { kind: 'array', element: type };
        }
        return type;
      }),
    );
  }

  #list(mark: string, kind: 'union' | 'intersection', member: () => TypeNode): TypeNode {
    const first = member();
    const members = [first];
    while (this.#take(mark)) members.push(member());
    return members.length === 1 ? first : { kind, members };
  }

  #single(): TypeNode {
    const token = this.#peek();
    if (token.text === '{' && token.kind === 'mark') return this.#object();
    this.#next++;
    if (token.kind === 'text') return { kind: 'literal', value: token.text };
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'mark' && token.text === '(') {
      const type = this.#type();
      this.#expect(')');
      return type;
    }
    if (token.kind !== 'name') this.#fail('a type', token);
    if (token.text === 'readonly') return this.#single();
    if (token.text === 'true' || token.text === 'false')
      return { kind: 'literal', value: token.text === 'true' };
    if (isKeyword(token.text)) return { kind: 'keyword', name: token.text };
    const given: TypeNode[] = [];
    if (this.#take('<')) {
      do given.push(this.#type());
      while (this.#take(','));
      this.#expect('>');
    }
    return { kind: 'reference', name: token.text, arguments: given };
  }

  #object(): TypeNode {
    const fields: FieldNode[] = [];
    this.#expect('{');
    while (!this.#take('}')) {
      const { comment } = this.#peek();
      this.#expect('readonly');
      const name = this.#name();
      const optional = this.#take('?');
      this.#expect(':');
      fields.push({ name, optional, comment, type: this.#type() });
      if (this.#peek().text !== '}') this.#expect(';');
    }
    return { kind: 'object', fields };
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(text: string): boolean {
    const token = this.#peek();
    const found = token.text === text && (token.kind === 'mark' || token.kind === 'name');
    if (found) this.#next++;
    return found;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(`“${text}”`);
  }

  #name(): string {
    const token = this.#peek();
    if (token.kind !== 'name') this.#fail('a name');
    this.#next++;
    return token.text;
  }

  #fail(expected: string, found: Token = this.#peek()): never {
    throw new DocumentationProblem(
      `${this.#where}:${found.line}: expected ${expected} instead of “${found.text}”`,
    );
  }
}
