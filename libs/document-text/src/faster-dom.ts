import type { DomElement, DomNode } from './dom.ts';

/** An element remembers no longer text. The parts of one are remembered, so that it is joined from few. */
const rememberedCharactersMax = 4_096;

interface Remembering extends DomElement {
  remembered: string | undefined;
}

/** Objects that nodes inherit from: `node` is inherited by the others. */
interface Prototypes {
  readonly node: object;
  readonly element: object;
  readonly text: object;
}

/**
 * Lets elements remember their text until a node below changes, and list elements of several names in one walk.
 * Readability and turndown ask for both many times, and the DOM collects them anew from all nodes below.
 */
export function makeFaster({ node, element, text }: Prototypes): void {
  forgetAround(node, 'appendChild');
  forgetAround(node, 'remove');
  forgetAround(node, 'replaceChild');
  forgetOnSet(text, 'textContent');
  forgetOnSet(text, 'innerHTML');
  forgetOnSet(element, 'textContent');
  forgetOnSet(element, 'innerHTML');
  Object.defineProperties(element, {
    remembered: { value: undefined, writable: true },
    textContent: { ...own(element, 'textContent'), get: textOf },
    querySelectorAll: { value: elementsOf },
  });
}

const own = (prototype: object, name: string): PropertyDescriptor =>
  Object.getOwnPropertyDescriptor(prototype, name) ?? {};

function textOf(this: Remembering): string {
  if (this.remembered !== undefined) return this.remembered;
  let text = '';
  for (const child of this.childNodes) text += child.textContent;
  if (text.length <= rememberedCharactersMax) this.remembered = text;
  return text;
}

/** Readability asks for lists of names, such as `p,td,pre`, and for `*`. */
function elementsOf(this: DomElement, selector: string): readonly DomElement[] {
  const names = new Set(selector.toUpperCase().split(','));
  const found: DomElement[] = [];
  const isAll = names.has('*');
  const add = (parent: DomElement): void => {
    for (const child of parent.children) {
      if (isAll || names.has(child.nodeName)) found.push(child);
      add(child);
    }
  };
  add(this);
  return found;
}

function forget(from: DomNode | null): void {
  for (let node = from as Remembering | null; node; node = node.parentNode as Remembering | null)
    if (node.remembered !== undefined) node.remembered = undefined;
}

function forgetAround(prototype: object, name: string): void {
  const change = own(prototype, name).value as (this: DomNode, ...args: unknown[]) => unknown;
  Object.defineProperty(prototype, name, {
    value(this: DomNode, ...args: unknown[]) {
      forget(this);
      return change.apply(this, args);
    },
  });
}

function forgetOnSet(prototype: object, name: string): void {
  const known = own(prototype, name);
  Object.defineProperty(prototype, name, {
    ...known,
    set(this: DomNode, value: string) {
      forget(this);
      known.set?.call(this, value);
    },
  });
}
