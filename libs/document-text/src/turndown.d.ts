/** The part of turndown that is used here. It has no types of its own. */
declare module 'turndown' {
  // eslint-disable-next-line import/no-default-export
  export default class Turndown {
    constructor(options: {
      readonly headingStyle: 'atx';
      readonly hr: string;
      readonly bulletListMarker: '-';
      readonly codeBlockStyle: 'fenced';
    });
    remove(names: readonly string[]): this;
    addRule(
      name: string,
      rule: {
        readonly filter: (node: import('./dom.ts').DomElement) => boolean;
        readonly replacement: (content: string, node: import('./dom.ts').DomElement) => string;
      },
    ): this;
    /** Accepts a node of any document. */
    turndown(root: object): string;
  }
}
