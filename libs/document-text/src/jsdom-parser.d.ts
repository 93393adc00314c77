/** The DOM that Readability is made for. The package has no types of it. */
declare module '@mozilla/readability/JSDOMParser.js' {
  // eslint-disable-next-line import/no-default-export
  export default class JSDOMParser {
    parse(html: string, url: string): import('./dom.ts').DomDocument;
  }
}
