import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Provider, { type Configuration, type JWK } from 'oidc-provider';

/** The audience of the tokens, which the brokers of the test services expect. */
export const audience = 'https://kafka.example';

/** The scope of tokens that live for three seconds. */
export const shortScope = 'kafka:brief';

/** The clients of the provider. */
export const clients = {
  basic: { id: 'reports', secret: 'reports-secret-canary' },
  post: { id: 'billing', secret: 'billing-secret-canary' },
  signing: { id: 'signer' },
  people: { id: 'people' },
} as const;

/** A request that the provider has received. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

/** A real OpenID provider (oidc-provider) at a port of this machine. */
export interface OpenId extends AsyncDisposable {
  readonly issuer: string;
  /** The PEM text of the key of the client `signing`. */
  readonly clientKey: string;
  readonly asked: readonly Asked[];
  /** Replaces the signing key: older tokens become invalid. */
  rotate(): void;
  /** Sets the lifetime of new tokens in seconds. */
  lifetime(seconds: number): void;
  /** Removes a client. */
  revoke(id: string): void;
  /** Signs claims with the present key, for tokens that a correct provider does not issue. */
  signed(claims: Readonly<Record<string, unknown>>): string;
  /** Answers requests before the provider does; undefined: the provider answers. */
  intercept(answer: Intercept | undefined): void;
}

/** Answers a request with a status, headers and a body; undefined: not. `hang`: never. */
export type Intercept = (
  request: IncomingMessage,
) =>
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: string }
  | undefined;

interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** Whether the server listens now: a test in another process may have the port that brokers trust, until it ends. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

function newKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: randomUUID(), key: createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

/** Starts a provider. @param port 0: any that is free */
export async function startOpenId(port = 0): Promise<OpenId> {
  const clientKey = newKey();
  const removed = new Set<string>();
  const asked: Asked[] = [];
  let intercept: Intercept | undefined;
  let signing = newKey();
  let lifetime = 300;
  let handler: ReturnType<Provider['callback']> | undefined;
  const server: Server = createServer((request, response) => {
    asked.push({ method: request.method ?? '', path: (request.url ?? '').replace(/\?.*/, '') });
    const answer = intercept?.(request);
    if (answer === 'hang') return;
    if (answer === undefined) return void handler?.(request, response);
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
  });
  while (!(await listens(server, port))) await delay(100);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const restart = (): void => {
    const made = new Provider(issuer, configuration({ signing, clientKey, removed, lifetime: () => lifetime }));
    handler = made.callback();
  };
  restart();
  return {
    issuer,
    clientKey: String(clientKey.key.export({ type: 'pkcs8', format: 'pem' })),
    asked,
    rotate() {
      signing = newKey();
      restart();
    },
    lifetime(seconds) {
      lifetime = seconds;
    },
    revoke(id) {
      removed.add(id);
      restart();
    },
    signed: (claims) => jwt(signing, claims),
    intercept(answer) {
      intercept = answer;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function jwt({ kid, key }: SigningKey, claims: Readonly<Record<string, unknown>>): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'at+jwt', kid })}.${part(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

interface Parts {
  readonly signing: SigningKey;
  readonly clientKey: SigningKey;
  readonly removed: ReadonlySet<string>;
  lifetime(): number;
}

function configuration({ signing, clientKey, removed, lifetime }: Parts): Configuration {
  const program = { grant_types: ['client_credentials'], redirect_uris: [], response_types: [] };
  const all: NonNullable<Configuration['clients']> = [
    { client_id: clients.basic.id, client_secret: clients.basic.secret, ...program },
    {
      client_id: clients.post.id,
      client_secret: clients.post.secret,
      token_endpoint_auth_method: 'client_secret_post',
      ...program,
    },
    {
      client_id: clients.signing.id,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks: { keys: [publicJwk(clientKey)] },
      ...program,
    },
    {
      client_id: clients.people.id,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: ['http://127.0.0.1/callback'],
      response_types: ['code'],
    },
  ];
  return {
    clients: all.filter(({ client_id: id }) => !removed.has(id)),
    jwks: { keys: [{ ...signing.key.export({ format: 'jwk' }), kid: signing.kid, alg: 'RS256', use: 'sig' } as JWK] },
    cookies: { keys: ['test'] },
    scopes: ['openid', 'offline_access', 'kafka', shortScope],
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    ttl: { Interaction: 600, Session: 600, Grant: 600, DeviceCode: 600, RefreshToken: 600, IdToken: 600 },
    features: {
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: { enabled: true },
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (context) => ({
          scope: `kafka ${shortScope}`,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: context.oidc.params?.scope === shortScope ? 3 : lifetime(),
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}

function publicJwk({ key, kid }: SigningKey): JWK {
  const { n, e, kty } = key.export({ format: 'jwk' });
  return { n, e, kty, kid, alg: 'RS256', use: 'sig' } as JWK;
}
