import type { RequestListener, ServerResponse } from 'node:http';
import { LoadShedder } from '@sluice/load-shedding';

/** The defaults of Sluice. */
const waitingMax = 2_000;
const waitingPerNameMax = waitingMax / 2;

/**
 * Sheds load as the gateway of Sluice does, before anything else of a request is done. A refusal is the least that
 * `node:http` can send: it has no body, no request id and no date, and no metric or log counts it.
 */
export function shedLoad(serve: RequestListener): RequestListener {
  const shedder = new LoadShedder({ waitingMax, waitingPerNameMax });
  return (request, response) =>
    shedder.admit(request.headers.authorization ?? '', (overload) => {
      if (overload !== undefined) return refuse(response);
      if (!response.destroyed) serve(request, response);
    });
}

function refuse(response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(503, ['connection', 'keep-alive', 'content-length', '0']).end();
}
