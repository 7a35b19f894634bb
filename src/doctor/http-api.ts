import type { Deadline } from '../deadline.ts';
import { CliError, exitCodes, withHints } from '../errors.ts';
import { type Address, hostInUrl, isLocal, showHostPort } from '../net/address.ts';
import type { Peer } from '../net/dial-error.ts';
import type { HttpTrace } from '../net/http.ts';
import { openHttp } from '../net/http.ts';
import { isForwarded } from '../net/http-proxy.ts';
import { authorizationOf, type Credentials } from '../net/json-api/credentials.ts';
import { type ProxyServer, type ProxySettings, proxiesOf, withoutProxyFor } from '../net/proxies.ts';
import { startLimit } from '../net/socket.ts';
import { readTls, type TlsMaterial, type TlsOptions } from '../net/tls.ts';
import { createTunnel } from '../net/tunnel.ts';
import { addressAdvice, type Chain, type StepResult, startChain } from './chain.ts';
import type { Check } from './check-rows.ts';
import { checkDial } from './inspect.ts';

/** An HTTP API with addresses of its own. */
export interface HttpApi {
  readonly api: 'admin' | 'registry';
  /** For messages: `Admin API`, `schema registry`. */
  readonly server: string;
  readonly addresses: readonly Address[];
  /** Whether TLS is used for addresses without a scheme. */
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly proxy: ProxySettings;
  /** Sent if a server requires some, over TLS or to this machine. */
  readonly credentials: Credentials | undefined;
  /** A path that usually needs no authentication. */
  readonly path: string;
  /** A path that every server of the API has. */
  readonly certainPath: string;
  readonly deadline: Deadline;
  readonly trace: ((event: HttpTrace) => void) | undefined;
}

/** Checks every address of an HTTP API: DNS, TCP, TLS and an answer, with credentials if it requires some. */
export async function checkHttpApi(api: HttpApi): Promise<readonly Check[]> {
  const needsTls = api.addresses.some((address) => isSecure(api, address));
  const material = needsTls ? await readTls(api.tls, api.deadline.signal) : undefined;
  const checks = await Promise.all(api.addresses.map((address) => checkAddress(api, address, material)));
  return checks.flat();
}

function isSecure({ usesTls }: HttpApi, { scheme }: Address): boolean {
  return scheme === undefined ? usesTls : scheme === 'https';
}

async function checkAddress(
  api: HttpApi,
  address: Address,
  material: TlsMaterial | undefined,
): Promise<readonly Check[]> {
  const { server, deadline, tls } = api;
  const isTls = isSecure(api, address);
  const name = `the ${server} at ${showHostPort(address)}`;
  const { keyPrefix } = tls;
  const peer: Peer = {
    name,
    host: address.host,
    server: 'server',
    keyPrefix,
    addressHint: `-X ${api.api}.hosts=HOST:PORT`,
  };
  const chain = startChain({ api: api.api, target: showHostPort(address), peer: name }, deadline);
  const withoutTls = address.scheme === undefined ? `${keyPrefix}.enabled is false` : 'the address begins with http://';
  const proxy = proxyFor(api, address, isTls);
  if (proxy instanceof CliError) chain.fail('proxy', proxy, 0);
  else if (proxy !== undefined && isForwarded({ protocol: isTls ? 'https:' : 'http:' }, proxy)) {
    await checkForwarding(chain, { proxy, address, peer, deadline });
  } else {
    const tunnel = proxy && createTunnel(proxy, deadline);
    const tunnelTo = hasProxy(api) ? () => tunnel : undefined;
    await checkDial(chain, { address, peer, tls: isTls ? material : undefined, tunnelTo, withoutTls, deadline });
  }
  await chain.run('http', () => answerOf(api, address, isTls).catch((error) => fail(error, api, isTls)));
  return chain.checks;
}

/** The settings for the proxies, as the clients use them: requests to this machine need none. */
function settingsOf({ proxy, addresses }: HttpApi): ProxySettings {
  return withoutProxyFor(proxy, addresses.filter(isLocal).map(hostInUrl));
}

function hasProxy(api: HttpApi): boolean {
  return proxiesOf(settingsOf(api)) !== undefined;
}

function proxyFor(api: HttpApi, address: Address, isTls: boolean): ProxyServer | CliError | undefined {
  const proxies = proxiesOf(settingsOf(api));
  if (proxies === undefined || proxies.isExempt(address)) return undefined;
  return isTls ? proxies.https : proxies.http;
}

/** A request that a proxy reads and sends on. */
interface Forwarding {
  readonly proxy: ProxyServer;
  readonly address: Address;
  readonly peer: Peer;
  readonly deadline: Deadline;
}

/** Connects to the proxy. What it cannot do after that shows in its answer to the request. */
async function checkForwarding(chain: Chain, { proxy, address, peer, deadline }: Forwarding): Promise<void> {
  const { clock, signal, limits } = deadline;
  const reason = 'the proxy reads the request and sends it on';
  const tunnel = createTunnel(proxy, deadline);
  const leftMs = startLimit(clock, limits.dialMs);
  await chain.run('proxy', async () => {
    (await tunnel.reach({ to: address, peer, leftMs, signal })).destroy();
    return { value: undefined, detail: tunnel.name };
  });
  for (const step of ['dns', 'tcp', 'tls'] as const) chain.skip(step, reason);
}

async function answerOf(api: HttpApi, address: Address, isTls: boolean): Promise<StepResult<undefined>> {
  const { server, deadline, tls, trace } = api;
  const base = `${isTls ? 'https' : 'http'}://${showHostPort(address)}${address.path ?? ''}`;
  const url = `${base}${api.path}`;
  const addressHint = `-X ${api.api}.hosts=HOST:PORT`;
  const http = openHttp({
    api: api.api,
    server,
    addressHint,
    deadline,
    userAgent: 'weir',
    tls,
    proxy: settingsOf(api),
    trace,
  });
  try {
    const response = await http.request({ method: 'GET', url });
    if (response.status === 404) await requireAnswer(http, `${base}${api.certainPath}`, api);
    if (response.status !== 401 && response.status !== 403) return judge(response, url, api);
    const { credentials } = api;
    const mayBeSent = credentials !== undefined && (isTls || isLocal(address));
    if (!mayBeSent) return credentialsNotSent(response.status, url, api);
    const headers = { authorization: await authorizationOf(credentials) };
    return judgeSigned((await http.request({ method: 'GET', url, headers })).status, url, api);
  } finally {
    http.close();
  }
}

/** An older server may lack one path. @throws CliError if nothing is at this address, as when its path is missing */
async function requireAnswer(http: ReturnType<typeof openHttp>, url: string, { api }: HttpApi): Promise<void> {
  const { status } = await http.request({ method: 'GET', url });
  if (status !== 404) return;
  throw new CliError(exitCodes.unreachable, `GET ${url}: HTTP 404`, {
    code: 'HTTP_404',
    hints: [addressAdvice[api]],
  });
}

/** @throws the error, with advice: what answers something else is usually another service, or uses TLS */
function fail(error: unknown, { api, tls }: HttpApi, isTls: boolean): never {
  if (!(error instanceof CliError) || error.hints.length > 0) throw error;
  throw withHints(error, [
    addressAdvice[api],
    ...(isTls ? [] : [`if it requires TLS: -X ${tls.keyPrefix}.enabled=true`]),
  ]);
}

/** An API whose credentials are not sent: there are none, or others could read them. */
function credentialsNotSent(status: number, url: string, { api, credentials, tls }: HttpApi): StepResult<undefined> {
  const detail = `GET ${url}: HTTP ${status}; the credentials it requires are`;
  if (credentials === undefined) {
    const warning = [`set ${api}.user and ${api}.pass, or ${api}.token: weir profile set ${api}.user=NAME ${api}.pass`];
    return { value: undefined, detail: `${detail} not set`, warning };
  }
  const warning = [`turn on TLS: -X ${tls.keyPrefix}.enabled=true`];
  return { value: undefined, detail: `${detail} not checked, because others could read them`, warning };
}

/** @throws CliError (exit 4) if the credentials are refused */
function judgeSigned(status: number, url: string, api: HttpApi): StepResult<undefined> {
  const { whenRefused } = api.credentials ?? {};
  if (status !== 401 && status !== 403) {
    const { detail, ...result } = judge({ status }, url, api);
    return { ...result, detail: `${detail}, with credentials` };
  }
  throw new CliError(exitCodes.auth, `GET ${url}: HTTP ${status}: the credentials are refused`, {
    code: status === 401 ? 'UNAUTHENTICATED' : 'PERMISSION_DENIED',
    hints: status === 401 && whenRefused !== undefined ? [whenRefused] : ['check the permissions of the user'],
  });
}

function judge({ status }: { readonly status: number }, url: string, { api, server }: HttpApi): StepResult<undefined> {
  const detail = `GET ${url}: HTTP ${status}`;
  if (status < 300) return { value: undefined, detail };
  if (status < 500) {
    return { value: undefined, detail, warning: [addressAdvice[api]] };
  }
  throw new CliError(exitCodes.unreachable, detail, {
    code: `HTTP_${status}`,
    hints: [`see the logs of the ${server}`],
  });
}
