export { pdfOf, pdfOfObjects } from './testing/pdf.ts';
export { officeOf, presentationOf, sheetOf, wordOf } from './testing/office.ts';
