import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/** The types that a page of any origin may send without asking first (Fetch standard, CORS-safelisted). */
const formTypes = /^(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i;

/**
 * Refuses what a web page makes a browser send to this machine: a request with an origin, and one for a host name that
 * the page has pointed to this machine (DNS rebinding). The clients of the simulators are not browsers.
 * @param forms whether the API takes forms, like a token endpoint of OAuth
 * @returns whether the request was refused
 */
export function refusesBrowser(
  request: IncomingMessage,
  response: ServerResponse,
  forms: 'forms' | 'no forms',
): boolean {
  const { host = '', origin, 'content-type': type = '' } = request.headers;
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  const isOwn = name === 'localhost' || isIP(name) !== 0;
  const isForm = forms === 'no forms' && formTypes.test(type);
  if (isOwn && origin === undefined && !isForm) return false;
  const why = isForm ? 'send JSON as application/json' : 'the sandbox does not answer web pages';
  const body = JSON.stringify({ code: isForm ? 415 : 403, message: why });
  response.writeHead(isForm ? 415 : 403, { 'content-type': 'application/json' }).end(body);
  return true;
}
