import { Parser } from 'htmlparser2';
import { Unreadable } from '../content.ts';

/** The functions of the walk are called with names without a prefix. */
export interface XmlWalk {
  onOpen(name: string, attributes: Readonly<Record<string, string>>): void;
  onText(text: string): void;
  onClose(name: string): void;
}

const depthMax = 1_000;

/** Walks through XML. Entities that the document defines stay as they are. */
export function walkXml(xml: string, walk: XmlWalk): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > depthMax) throw new Unreadable('The document is nested too deeply');
        walk.onOpen(localName(name), attributes);
      },
      ontext: (text) => walk.onText(text),
      onclosetag(name) {
        depth -= 1;
        walk.onClose(localName(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Returns an attribute by its name without a prefix. */
export function attributeOf(
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined {
  const own = attributes[name];
  if (own !== undefined) return own;
  const key = Object.keys(attributes).find((one) => localName(one) === name);
  return key === undefined ? undefined : attributes[key];
}
