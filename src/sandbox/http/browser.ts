import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/**
 * Refuses what a web page makes a browser send to this machine: a request with an origin, which every change from
 * another origin has, and one for a host name that the page has pointed to this machine (DNS rebinding). The clients of
 * the simulators are not browsers.
 * @returns whether the request was refused
 */
export function refusesBrowser({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if ((name === 'localhost' || isIP(name) !== 0) && headers.origin === undefined) return false;
  const body = JSON.stringify({ code: 403, message: 'the sandbox does not answer web pages' });
  response.writeHead(403, { 'content-type': 'application/json' }).end(body);
  return true;
}
