/** The part of the DOM that the extraction uses. The compiler has no types of browsers here. */
export interface DomNode {
  readonly nodeName: string;
  readonly nodeType: number;
  readonly parentNode: DomElement | null;
  readonly childNodes: readonly DomNode[];
  textContent: string;
}

export interface DomElement extends DomNode {
  readonly children: readonly DomElement[];
  getElementsByTagName(name: string): readonly DomElement[];
  setAttribute(name: string, value: string): void;
  appendChild(child: DomNode): void;
}

export interface DomDocument {
  readonly head: DomElement;
  readonly body: DomElement;
  title: string;
  createElement(name: string): DomElement;
  createTextNode(text: string): DomNode;
}
