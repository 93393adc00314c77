import { pdfOf } from '@sluice/document-text/testing';
import type { Random } from '@sluice/testing/random';

const pagesMax = 3;
const plugins = [{ id: 'file-parser', pdf: { engine: 'mistral-ocr' } }];

/** Returns the fields of a request with a PDF that the OCR reads before the model is called. */
export function withFile(text: string, random: Random) {
  const pages = Array.from({ length: random.between(1, pagesMax) }, () => 'a page');
  const file = {
    type: 'input_file',
    // An OCR that takes a while is more often under way when something is killed.
    filename: `report[ocr:wait-${random.below(200)}].pdf`,
    file_data: `data:application/pdf;base64,${pdfOf(pages).toString('base64')}`,
  };
  const content = [{ type: 'input_text', text }, file];
  return { input: [{ role: 'user', content }], plugins };
}
