import { buildConnector } from 'undici';
import { skipContinue } from './skip-continue.ts';

/** Connects as undici does, to sockets that skip each `100 Continue`. */
export function skippingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  return skipping(buildConnector(options));
}

/** Connects as another connector does, to sockets that skip each `100 Continue`. */
export function skipping(connect: buildConnector.connector): buildConnector.connector {
  return (asked, callback) => {
    connect(asked, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      skipContinue(socket);
      callback(null, socket);
    });
  };
}
