import { CliError, exitCodes, unreachableError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { type Http, type HttpAnswer, type HttpRequest, openHttp } from '../../net/http.ts';
import { HttpError } from '../../net/http-error.ts';
import { parseJson } from '../../net/json.ts';
import { isPlainElsewhere } from '../../net/plain-http.ts';
import { type Fields, isObject } from '../../shape/object.ts';
import type { Wanted } from './chain.ts';
import type { IdentityOptions } from './options.ts';

/** The requests for an identity. */
export interface Requests {
  /** Asks a service of a cloud, through the configured proxy. @throws CliError (exit 5) if it does not answer */
  service(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Asks the metadata endpoint of this machine: never through a proxy, which would get the answer, and only for a moment,
   * because elsewhere nothing answers at its address.
   * @returns why there is no answer
   */
  metadata(request: HttpRequest): Promise<HttpAnswer | string>;
  /** How far the clock of the services is ahead of this one, in milliseconds; undefined if none has answered. */
  clockSkewMs(): number | undefined;
  close(): void;
}

/**
 * What an endpoint answers that is there but cannot answer now: going on to the next place could find someone else. A
 * gateway answers other errors for an address that leads nowhere.
 */
const busy = [429, 500];

/** The SDKs of the clouds wait as long. */
const metadataMs = 1_000;
const mostBytes = 1024 * 1024;

/** Opens the requests; nothing is dialed. */
export function openRequests(options: IdentityOptions): Requests {
  const { deadline, proxy, userAgent, trace } = options;
  const { signal, clock } = deadline;
  const common = { api: 'identity', deadline, userAgent, trace } as const;
  const service = openHttp({ ...common, server: 'identity service', addressHint: 'of the identity service', proxy });
  const brief = {
    ...deadline,
    get limits() {
      const { limits } = deadline;
      const least = (most: number): number => Math.min(most, metadataMs);
      return { ...limits, dialMs: least(limits.dialMs), requestOverheadMs: least(limits.requestOverheadMs) };
    },
  };
  const local = openHttp({ ...common, deadline: brief, server: 'metadata endpoint', addressHint: 'of the metadata' });
  let skewMs: number | undefined;
  const send = async (http: Http, request: HttpRequest): Promise<HttpAnswer> => {
    const answer = await http.request({ maxBytes: mostBytes, ...request });
    const time = Date.parse(answer.headers.date ?? '');
    if (!Number.isNaN(time)) skewMs = time - clock.wallTime();
    return answer;
  };
  return {
    service(request) {
      if (isPlainElsewhere(request.url)) throw unencrypted(request.url);
      return send(isPlain(request.url) ? local : service, request);
    },
    async metadata(request) {
      try {
        const answer = await send(local, request);
        if (busy.includes(answer.status)) throw busyEndpoint(request, answer.status);
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof HttpError)) throw error;
        const { origin } = new URL(request.url);
        return isOverdue(error) ? `no answer from ${origin} within ${metadataMs / 1000}s` : error.message;
      }
    },
    clockSkewMs: () => skewMs,
    close() {
      service.close();
      local.close();
    },
  };
}

function busyEndpoint({ method, url }: HttpRequest, status: number): CliError {
  const { origin, pathname } = new URL(url);
  return unreachableError(`unable to get an identity: ${method} ${origin}${pathname} answers ${status}`, {
    code: 'METADATA_BUSY',
    target: origin,
  });
}

/** The limits are shorter here than the options that their errors name. */
function isOverdue({ code }: HttpError): boolean {
  return code === 'REQUEST_TIMEOUT' || code === 'DIAL_TIMEOUT';
}

/** Only an address of this machine may be one; a proxy could read what is sent there. */
function isPlain(url: string): boolean {
  return new URL(url).protocol === 'http:';
}

function unencrypted(url: string): CliError {
  const { origin } = new URL(url);
  return new CliError(exitCodes.usage, `the identity service is ${origin}, which is not encrypted`, {
    code: 'CONFIG_INVALID',
    target: origin,
    hints: ['use https://'],
  });
}

/** The object in an answer. @throws CliError (exit 4) for anything else, such as a page of a proxy, without its text */
export function objectIn({ headers, body, status }: HttpAnswer, what: Wanted, source: string): Fields {
  const fields = parseJson(body);
  if (isObject(fields)) return fields;
  const type = excerpt(headers['content-type'] ?? 'no content type');
  throw new CliError(
    exitCodes.auth,
    `unable to get ${what.name}: the response of ${source} is not a JSON object (${status}, ${type})`,
    { code: 'NOT_JSON', target: source, hints: [what.compare] },
  );
}
