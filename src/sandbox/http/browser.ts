import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/**
 * Refuses what a web page makes a browser send to this machine: a request with an origin, which every change from
 * another origin has, one that a page of another site makes without an origin (an image, a link, a form that only reads),
 * and one for a host name that the page has pointed to this machine (DNS rebinding). The content type does not matter,
 * because the real servers read JSON of any type. The clients of the simulators are not browsers.
 * @returns whether the request was refused
 */
export function refusesBrowser({ headers }: IncomingMessage, response: ServerResponse): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isLocalName = name === 'localhost' || isIP(name) !== 0;
  // `none` is an address that the user has typed.
  const isOfPage = headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none';
  if (isLocalName && !isOfPage) return false;
  const body = JSON.stringify({ code: 403, message: 'the sandbox does not answer web pages' });
  response.writeHead(403, { 'content-type': 'application/json' }).end(body);
  return true;
}
