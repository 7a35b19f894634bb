import type { BearerSource } from '../../net/bearer.ts';
import { type Http, type HttpOptions, openHttp } from '../../net/http.ts';
import { checkPlainHttp, isLoopback, isPlainElsewhere } from '../../net/plain-http.ts';
import { createRetry } from '../../net/retry.ts';
import { createLogins, type Logins } from './logins.ts';
import type { OAuthOptions } from './options.ts';
import { tokenFiles } from './token-files.ts';
import { givenSource, issuedSource } from './token-source.ts';

/** The source of the tokens of the cluster's APIs. */
export interface OAuth extends BearerSource {
  /** The calls about the tokens stored on this machine. */
  readonly logins: Logins;
  /** Closes all connections to the issuer immediately. */
  close(): void;
}

/** Opens the source of tokens without opening a connection, and without loading the OAuth library. */
export function openOAuth(options: OAuthOptions): OAuth {
  const { place, deadline, insecureHttp, warn } = options;
  const all = [
    ['oauth.issuer', place.issuer],
    ['oauth.token_url', place.tokenUrl],
  ] as const;
  const urls = all.filter(([, url]) => url !== '');
  for (const [what, url] of urls) {
    checkPlainHttp(url, { insecureHttp, allowedBy: 'oauth.insecure_http', what });
    if (isPlainElsewhere(url)) warn(`${what} is ${url}: secrets and tokens are sent there unencrypted`);
  }
  const opened: HttpOptions = {
    api: 'oauth',
    server: 'issuer',
    addressHint: place.issuer === '' ? '-X oauth.token_url=URL' : '-X oauth.issuer=URL',
    deadline,
    userAgent: options.userAgent,
    tls: options.tls,
    trace: options.trace,
  };
  const http = withoutProxyHere(openHttp({ ...opened, proxy: options.proxy }), openHttp(opened));
  let skewMs: number | undefined;
  const onTime = (time: number): void => {
    skewMs = time - deadline.clock.wallTime();
  };
  const parts = { options, http, onTime };
  const issuer = onceOpened(async () => (await import('./issuer.ts')).openIssuer(parts));
  const files = tokenFiles(options.stateDirectory, options.uid);
  const issued = { ...parts, retry: createRetry(deadline), issuer, files };
  const source =
    options.token === undefined
      ? issuedSource(issued)
      : givenSource(options.token, () => deadline.clock.wallTime(), warn);
  return { clockSkewMs: () => skewMs, ...source, logins: createLogins(issued), close: http.close };
}

/** Sends what is unencrypted to this machine without a proxy, which could read it, also if an issuer announces the address. */
function withoutProxyHere(usual: Http, direct: Http): Http {
  const way = (url: string): Http => (new URL(url).protocol === 'http:' && isLoopback(url) ? direct : usual);
  return {
    request: (request) => way(request.url).request(request),
    stream: (request) => way(request.url).stream(request),
    close() {
      usual.close();
      direct.close();
    },
  };
}

/** Opens something once; after a failure, the next use tries again. */
function onceOpened<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}
