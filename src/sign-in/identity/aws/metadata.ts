import { variable } from '../../../files/locations.ts';
import { excerpt } from '../../../format/excerpt.ts';
import { isLocal } from '../../../net/address.ts';
import { secretsOfHeader, withoutSent } from '../../../net/secret.ts';
import { brokenStep, readIfThere } from '../chain.ts';
import { objectIn } from '../requests.ts';
import { type AwsCredentials, type AwsParts, keysIn, what } from './keys.ts';

const containerHost = '169.254.170.2';
/** The addresses that credentials of containers may come from without TLS, besides this machine: ECS, and EKS Pod Identity. */
const containerHosts = [containerHost, '169.254.170.23', '[fd00:ec2::23]'];

/** The credentials of a container of ECS or EKS (container credential provider), or why there are none. */
export async function containerCredentials(parts: AwsParts): Promise<AwsCredentials | string> {
  const { machine, deadline } = parts.options;
  const relative = variable(machine, 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI');
  const full = variable(machine, 'AWS_CONTAINER_CREDENTIALS_FULL_URI');
  const address = relative === undefined ? full : `http://${containerHost}${relative}`;
  if (address === undefined)
    return 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and AWS_CONTAINER_CREDENTIALS_FULL_URI are not set';
  const place = 'the container';
  const url = containerUrl(address);
  if (url === undefined) {
    throw brokenStep(
      what,
      place,
      `AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https:// nor of this machine or its container`,
    );
  }
  const file = variable(machine, 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE');
  const inFile = file === undefined ? undefined : await readIfThere(what, file, deadline.signal);
  if (file !== undefined && inFile === undefined) throw brokenStep(what, place, `there is no file ${file}`);
  const token = (inFile ?? variable(machine, 'AWS_CONTAINER_AUTHORIZATION_TOKEN'))?.trim();
  if (token !== undefined && !/^[\x20-\x7e]*$/.test(token))
    throw brokenStep(what, place, 'its authorization token has control characters');
  const headers = { accept: 'application/json', ...(token ? { authorization: token } : {}) };
  const answer = await parts.requests.metadata({ method: 'GET', url: url.href, headers });
  const source = `${url.origin}${url.pathname}`;
  if (typeof answer === 'string') throw brokenStep(what, place, answer);
  const fields = objectIn(answer, what, source);
  if (answer.status === 200) return keysIn(fields, `${place} (${source})`);
  const secrets = [token ?? '', ...secretsOfHeader(token)];
  const why = excerpt(withoutSent(String(fields.message ?? fields.code ?? ''), secrets));
  throw brokenStep(what, place, `${source} answers ${answer.status}: ${why}`);
}

function containerUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isNear = containerHosts.includes(url.hostname) || isLocal({ host: url.hostname.replace(/^\[|\]$/g, '') });
  return url.protocol === 'https:' || (url.protocol === 'http:' && isNear) ? url : undefined;
}

const instanceUrl = 'http://169.254.169.254';
const ipv6Url = 'http://[fd00:ec2::254]';
const rolesPath = '/latest/meta-data/iam/security-credentials/';

/** The credentials of the role of an EC2 instance (IMDSv2; version 1 can be asked by anything on the way), or why there are none. */
export async function instanceCredentials(parts: AwsParts): Promise<AwsCredentials | string> {
  const { requests } = parts;
  const { machine } = parts.options;
  if (variable(machine, 'AWS_EC2_METADATA_DISABLED')?.toLowerCase() === 'true')
    return 'AWS_EC2_METADATA_DISABLED is true';
  const isIpv6 = variable(machine, 'AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE')?.toLowerCase() === 'ipv6';
  const base = (variable(machine, 'AWS_EC2_METADATA_SERVICE_ENDPOINT') ?? (isIpv6 ? ipv6Url : instanceUrl)).replace(
    /\/+$/,
    '',
  );
  if (!/^https?:\/\//.test(base) || !URL.canParse(base))
    throw brokenStep(what, 'the instance', 'AWS_EC2_METADATA_SERVICE_ENDPOINT is not a URL');
  const session = await requests.metadata({
    method: 'PUT',
    url: `${base}/latest/api/token`,
    headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
  });
  if (typeof session === 'string') return session;
  const token = session.body.toString('utf8');
  const place = `the instance (${base})`;
  // Other clouds answer something else at this address.
  if (session.status !== 200) return `PUT ${base}/latest/api/token answers ${session.status}`;
  if (!/^[\x21-\x7e]{1,1024}$/.test(token)) {
    throw brokenStep(what, place, 'PUT /latest/api/token answers without a session token (IMDSv2)');
  }
  const ask = async (path: string) => {
    const answer = await requests.metadata({
      method: 'GET',
      url: `${base}${path}`,
      headers: { 'x-aws-ec2-metadata-token': token },
    });
    if (typeof answer === 'string') throw brokenStep(what, place, answer);
    return answer;
  };
  const roles = await ask(rolesPath);
  if (roles.status === 404) return 'the instance has no role';
  const role = roles.body.toString('utf8').trim().split('\n')[0] ?? '';
  if (roles.status !== 200 || !/^[\w+=,.@-]{1,128}$/.test(role)) {
    throw brokenStep(what, place, `GET ${rolesPath} answers ${roles.status} without the name of a role`);
  }
  const answer = await ask(rolesPath + role);
  const fields = objectIn(answer, what, `${base}${rolesPath}${role}`);
  const { Code: code = 'Success' } = fields;
  if (answer.status === 200 && code === 'Success') return keysIn(fields, `the role ${role} of the instance`);
  throw brokenStep(
    what,
    place,
    `the credentials of the role ${role} are not available (${answer.status}, ${excerpt(withoutSent(String(code), [token]))})`,
  );
}
