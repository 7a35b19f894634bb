import { boolean, integer, type Kind, oneOf, path, secretText, text, url } from '../kinds.ts';
import { type OptionApi, orEmpty, row, serverNameRow, tlsFileRows } from './option-row.ts';

/** What the rows have in common: the tokens are for the brokers, and for the HTTP APIs of the same cluster. */
const apis: readonly OptionApi[] = ['kafka', 'admin', 'registry'];
const ofText = { kind: text, fallback: '', apis } as const;
const ofIdentity = { kind: text, fallback: '', apis: ['kafka'] } as const;
const ofFile = { kind: path, fallback: '', apis } as const;
const ofUrl = { kind: orEmpty(url), fallback: '', apis } as const;

/** The ways to get a token, in the order of the help. */
const grant = oneOf('grant', [
  'client_credentials',
  'device_code',
  'authorization_code',
  'jwt_bearer',
  'aws',
  'azure',
  'google',
]);
const clientAuth = oneOf('client authentication', [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'none',
]);

type Extension = readonly [key: string, value: string];

/** SASL extensions (KIP-342): brokers end the exchange for a key or a value with other characters. */
const saslExtensions: Kind<readonly Extension[]> = {
  name: 'SASL extensions',
  hint: 'KEY=VALUE,…',
  mayHoldSecret: 'after the key',
  parse: (value) =>
    value.split(',').map((pair): Extension => {
      const [, key = '', text = ''] = /^\s*([A-Za-z]+)=([\x20-\x7e]+)$/.exec(pair) ?? [];
      if (key === '') throw new Error('not KEY=VALUE, with only letters in KEY and printable ASCII in VALUE');
      if (key === 'auth') throw new Error('"auth" is the token itself');
      return [key, text];
    }),
  show: (value) => value.map(([key, text]) => `${key}=${text}`).join(','),
};

/** A port; options are text in JSON. */
const port: Kind<number> = { ...integer({ min: 0, max: 65_535 }), json: String };

/** The options for OAuth tokens. */
export const oauthRows = [
  row({
    key: 'oauth.issuer',
    ...ofUrl,
    example: 'https://login.example.com/realms/kafka',
    help: 'OpenID Connect issuer of the tokens. weir asks it for its endpoints (discovery).',
  }),
  row({
    key: 'oauth.token_url',
    ...ofUrl,
    example: 'https://login.example.com/oauth2/token',
    help: 'Token endpoint, for an issuer without discovery. It takes precedence over the one that oauth.issuer announces.',
  }),
  row({
    key: 'oauth.grant',
    kind: grant,
    fallback: 'client_credentials',
    example: 'device_code',
    help: 'How to get a token: client_credentials for programs, device_code or authorization_code for people (see weir cluster auth login), jwt_bearer to exchange the assertion. aws, azure and google use the identity that the tools of that cloud would use here.',
    apis,
  }),
  row({
    key: 'oauth.client_id',
    ...ofText,
    example: 'billing-report',
    help: 'OAuth client id. With oauth.grant=azure, the client id of a user-assigned managed identity.',
  }),
  row({
    key: 'oauth.client_secret',
    ...ofText,
    kind: secretText,
    example: 'my-client-secret',
    help: 'OAuth client secret.',
    secret: true,
  }),
  row({
    key: 'oauth.client_auth',
    kind: orEmpty(clientAuth),
    fallback: '',
    example: 'client_secret_post',
    help: 'How the client proves its identity to the issuer. Default: with the configured secret, assertion or certificate.',
    apis,
  }),
  row({
    key: 'oauth.assertion.key',
    ...ofFile,
    example: '/etc/weir/client-key.pem',
    help: 'PEM file with the private key that signs the assertion of the client (private_key_jwt). With oauth.grant=google, the JSON file with the credentials.',
  }),
  row({
    key: 'oauth.assertion.key_id',
    ...ofText,
    example: '2026-01',
    help: 'Id of the key in oauth.assertion.key, if the client has several.',
  }),
  row({
    key: 'oauth.assertion.file',
    ...ofFile,
    example: '/var/run/secrets/tokens/kafka',
    help: 'File with a signed assertion, such as the token of a Kubernetes service account. It is read again for every token.',
  }),
  row({
    key: 'oauth.scope',
    ...ofText,
    example: 'kafka.read kafka.write',
    help: 'Scopes to request, separated by spaces. Required with oauth.grant=azure or google for addresses outside of that cloud.',
  }),
  row({
    key: 'oauth.audience',
    ...ofText,
    example: 'kafka.example.com',
    help: 'Audience to request. Only some issuers know this parameter, for example Auth0.',
  }),
  row({
    key: 'oauth.resource',
    ...ofUrl,
    example: 'https://kafka.example.com',
    help: 'Resource to request a token for (RFC 8707).',
  }),
  row({
    key: 'oauth.extensions',
    kind: saslExtensions,
    fallback: [],
    example: 'logicalCluster=lkc-1,identityPoolId=pool-2',
    help: 'SASL extensions for the brokers: KEY=VALUE, separated by commas.',
    apis: ['kafka'],
  }),
  row({
    key: 'oauth.token',
    ...ofText,
    kind: secretText,
    example: 'eyJhbGciOi…',
    help: 'Token to use as it is, instead of one from an issuer.',
    secret: true,
  }),
  row({
    key: 'oauth.redirect_port',
    kind: port,
    fallback: 0,
    example: '8400',
    help: 'Port on 127.0.0.1 to which the browser returns (authorization_code). Default: any free port.',
    apis,
  }),
  row({
    key: 'oauth.insecure_http',
    kind: boolean,
    fallback: false,
    example: 'true',
    help: 'Allow an http:// issuer on another machine. For tests only: secrets and tokens are sent unencrypted.',
    apis,
  }),
  ...tlsFileRows('oauth.', apis, 'the issuer'),
  serverNameRow('oauth.', apis, 'the issuer'),
  row({
    key: 'aws.profile',
    ...ofIdentity,
    example: 'streaming',
    help: 'Profile of ~/.aws/config to sign in to Amazon MSK with (AWS_MSK_IAM). Default: what the AWS CLI would use here.',
  }),
  row({
    key: 'aws.role_arn',
    ...ofIdentity,
    example: 'arn:aws:iam::123456789012:role/streaming',
    help: 'AWS role to assume for signing in to Amazon MSK.',
  }),
  row({
    key: 'aws.region',
    ...ofIdentity,
    example: 'eu-west-1',
    help: 'Region of the Amazon MSK cluster, if its address does not name one, for example through a tunnel. It also allows sending a signature to such an address.',
  }),
] as const;
