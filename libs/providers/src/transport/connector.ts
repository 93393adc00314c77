import { buildConnector } from 'undici';
import { skipContinue } from './skip-continue.ts';

/** Connects as undici does, to sockets that skip each `100 Continue`. */
export function skippingConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (asked, callback) => {
    connect(asked, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      skipContinue(socket);
      callback(null, socket);
    });
  };
}
