import { constants, createHash, createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { expandHome, variable } from '../../../files/locations.ts';
import { isTokenText, signedJwt } from '../../../net/jwt.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import { askForToken, tokenIn } from '../token-endpoint.ts';
import { type AzureParts, type AzureToken, what } from './parts.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const publicCloud = 'https://login.microsoftonline.com';

/** A token for the client that variables name, with its secret or certificate, or why there is none. */
export async function fromEnvironment(parts: AzureParts): Promise<AzureToken | string> {
  const { machine } = parts.options;
  const place = 'the environment';
  const secret = variable(machine, 'AZURE_CLIENT_SECRET');
  const certificate = variable(machine, 'AZURE_CLIENT_CERTIFICATE_PATH');
  if (secret === undefined && certificate === undefined)
    return 'AZURE_CLIENT_SECRET and AZURE_CLIENT_CERTIFICATE_PATH are not set';
  const client = clientOf(parts, place);
  if (secret !== undefined) {
    const proof = { client_secret: secret };
    return await granted(parts, client, proof, `${place} (AZURE_CLIENT_SECRET of the client ${client.id})`);
  }
  const path = expandHome(machine.home, certificate ?? '');
  const from = `${place} (AZURE_CLIENT_CERTIFICATE_PATH of the client ${client.id})`;
  const pem = await readIfThere(what, path, parts.options.deadline.signal);
  if (pem === undefined) throw brokenStep(what, from, `there is no file ${path}`);
  const now = parts.options.deadline.clock.wallTime();
  const assertion = signedWith(pem, { client, now }) ?? unusable(from, path);
  return await granted(parts, client, { client_assertion_type: assertionType, client_assertion: assertion }, from);
}

function unusable(from: string, path: string): never {
  throw brokenStep(what, from, `${path} does not have an RSA key without a password and its certificate, in PEM form`);
}

/** A token for the service account of a pod (workload identity), or why there is none. */
export async function fromWorkload(parts: AzureParts): Promise<AzureToken | string> {
  const { machine, deadline } = parts.options;
  const file = variable(machine, 'AZURE_FEDERATED_TOKEN_FILE');
  if (file === undefined) return 'AZURE_FEDERATED_TOKEN_FILE is not set';
  const client = clientOf(parts, 'the workload identity');
  const from = `the workload identity of ${file} (client ${client.id})`;
  const assertion = (await readIfThere(what, file, deadline.signal))?.trim();
  if (assertion === undefined) throw brokenStep(what, from, 'no such file');
  if (!isTokenText(assertion)) throw brokenStep(what, from, 'the file does not contain one token');
  return await granted(parts, client, { client_assertion_type: assertionType, client_assertion: assertion }, from);
}

/** A client of Entra ID, and where it gets tokens. */
interface Client {
  readonly id: string;
  readonly tokenUrl: string;
}

function clientOf({ options: { machine, clientId } }: AzureParts, place: string): Client {
  const tenant = variable(machine, 'AZURE_TENANT_ID');
  const id = clientId || variable(machine, 'AZURE_CLIENT_ID');
  if (tenant === undefined) throw brokenStep(what, place, 'AZURE_TENANT_ID is not set');
  if (id === undefined) throw brokenStep(what, place, 'AZURE_CLIENT_ID is not set');
  if (!/^[\w.-]+$/.test(tenant)) throw brokenStep(what, place, 'AZURE_TENANT_ID is neither an id nor a domain');
  const host = variable(machine, 'AZURE_AUTHORITY_HOST') ?? publicCloud;
  const authority = (/^https?:\/\//.test(host) ? host : `https://${host}`).replace(/\/+$/, '');
  if (!URL.canParse(authority)) throw brokenStep(what, place, 'AZURE_AUTHORITY_HOST is not a URL');
  return { id, tokenUrl: `${authority}/${tenant}/oauth2/v2.0/token` };
}

async function granted(
  { options, requests, scope }: AzureParts,
  { id, tokenUrl }: Client,
  proof: Readonly<Record<string, string>>,
  from: string,
): Promise<AzureToken> {
  const now = options.deadline.clock.wallTime();
  const form = { grant_type: 'client_credentials', client_id: id, scope, ...proof };
  const secrets = Object.values(proof);
  const fields = await askForToken(requests, { what, url: tokenUrl, form, secrets });
  return { token: tokenIn(fields, tokenUrl, now), from };
}

/**
 * Signs the assertion of a client with its certificate ("Microsoft identity platform application authentication certificate
 * credentials"); undefined if the file has no key and certificate that can be used. The error of a library may repeat a part of them.
 */
function signedWith(pem: string, { client, now }: { client: Client; now: number }): string | undefined {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== 'rsa') return undefined;
    const { raw } = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----')));
    const seconds = Math.floor(now / 1000);
    const header = { alg: 'PS256', typ: 'JWT', 'x5t#S256': createHash('sha256').update(raw).digest('base64url') };
    const times = { iat: seconds, nbf: seconds, exp: seconds + 600 };
    const claims = { aud: client.tokenUrl, iss: client.id, sub: client.id, jti: randomUUID(), ...times };
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    return signedJwt(header, claims, (text) => sign('sha256', text, { key, ...padding }));
  } catch {
    return undefined;
  }
}
