import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answer, type Asked, identityOn, startCloud } from '../cloud.ts';
import { failure, homeWith } from '../failure.ts';

const secret = 'secret-key-canary';
const keys = { AccessKeyId: 'AKIAFOUND', SecretAccessKey: secret, Token: 'session-canary' };
const later = new Date(Date.now() + 3_600_000).toISOString();
const temporary = { ...keys, Expiration: later };

/** The access key that a token was signed with, and what is said of it. */
async function signedBy(identity: ReturnType<typeof identityOn>): Promise<readonly [key: string, about: string]> {
  const { text, about = '' } = await identity.get();
  const query = new URL(Buffer.from(text, 'base64url').toString('utf8')).searchParams;
  return [query.get('X-Amz-Credential')?.split('/')[0] ?? '', about.replaceAll(identity.home, '~')];
}

const ofEnvironment = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: secret };

/** An answer of STS. */
function ofSts(action: string, fields: string): string {
  return `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>${fields}</${action}Result></${action}Response>`;
}

const stsKeys = `<Credentials><AccessKeyId>AKIAROLE</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>session-canary</SessionToken><Expiration>${later}</Expiration></Credentials>`;

describe('credentials are found', () => {
  test('in the environment, before everything else', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: secret };
    const home = homeWith({ '.aws/credentials': '[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=x\n' });
    const [key, about] = await signedBy(identityOn('aws', { env, home }));
    expect(key).toBe('AKIAENV');
    expect(about).toMatch(
      /^it was signed with the access key AKIAENV from the environment .*region eu-west-1 \(from the address\)/,
    );
  });

  test('in the shared files, of which that of credentials precedes the other', async () => {
    const home = homeWith({
      '.aws/config':
        '[default]\naws_access_key_id = AKIACONFIG\naws_secret_access_key = x\ns3 =\n  aws_access_key_id = no\n',
      '.aws/credentials': `# mine\n[default]\naws_access_key_id=AKIAFILE\naws_secret_access_key=${secret}\n`,
    });
    expect((await signedBy(identityOn('aws', { home })))[0]).toBe('AKIAFILE');
  });

  test('with a profile of the options only there', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: secret };
    const home = homeWith({
      '.aws/config': `[profile work]\naws_access_key_id=AKIAWORK\naws_secret_access_key=${secret}\n`,
    });
    const aws = { profile: 'work', region: '', roleArn: '' };
    expect((await signedBy(identityOn('aws', { env, home, options: { aws } })))[0]).toBe('AKIAWORK');
  });

  test('through roles that profiles assume one after the other', async () => {
    using cloud = await startCloud({ 'POST /': ofSts('AssumeRole', stsKeys) });
    const home = homeWith({
      '.aws/config': `[profile app]\nrole_arn=arn:aws:iam::1:role/app\nsource_profile=hub\nexternal_id=e1\nrole_session_name=me
[profile hub]\nrole_arn=arn:aws:iam::1:role/hub\nsource_profile=base
[profile base]\naws_access_key_id=AKIABASE\naws_secret_access_key=${secret}\n`,
    });
    const env = { AWS_PROFILE: 'app', AWS_ENDPOINT_URL_STS: cloud.url };
    const [key, about] = await signedBy(identityOn('aws', { env, home }));
    expect(key).toBe('AKIAROLE');
    expect(about).toContain(
      'from the role arn:aws:iam::1:role/app, assumed with the role arn:aws:iam::1:role/hub, assumed with the profile "base"',
    );
    const forms = cloud.asked.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
    expect(forms.map(({ RoleArn, ExternalId, RoleSessionName }) => [RoleArn, ExternalId, RoleSessionName])).toEqual([
      ['arn:aws:iam::1:role/hub', undefined, 'weir'],
      ['arn:aws:iam::1:role/app', 'e1', 'me'],
    ]);
    expect(cloud.asked[1]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAROLE\/\d+\/eu-west-1\/sts\/aws4_request, /,
    );
  });

  test('for a web identity, as in a pod with a service account', async () => {
    using cloud = await startCloud({ 'POST /': ofSts('AssumeRoleWithWebIdentity', stsKeys) });
    const home = homeWith({ token: 'jwt-canary\n' });
    const env = {
      AWS_WEB_IDENTITY_TOKEN_FILE: join(home, 'token'),
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
      AWS_ENDPOINT_URL_STS: cloud.url,
    };
    const proxy = { option: '', env: { http_proxy: 'http://127.0.0.1:1' } };
    expect((await signedBy(identityOn('aws', { env, home, options: { proxy } })))[0]).toBe('AKIAROLE');
    expect(cloud.asked[0]?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(cloud.asked[0]?.body))).toMatchObject({
      WebIdentityToken: 'jwt-canary',
    });
  });

  test('in the container, with the token of its file', async () => {
    using cloud = await startCloud({ 'GET /creds': temporary });
    const home = homeWith({ token: 'Basic container-canary\n' });
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/creds`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: join(home, 'token'),
    };
    expect((await signedBy(identityOn('aws', { env, home })))[0]).toBe('AKIAFOUND');
    expect(cloud.asked[0]?.headers.authorization).toBe('Basic container-canary');
  });

  test('in the instance, with a session (IMDSv2), never through a proxy', async () => {
    const path = '/latest/meta-data/iam/security-credentials/';
    using cloud = await startCloud({
      'PUT /latest/api/token': 'session-of-metadata',
      [`GET ${path}`]: 'app-role\n',
      [`GET ${path}app-role`]: { Code: 'Success', ...temporary },
    });
    const env = { AWS_EC2_METADATA_DISABLED: 'false', AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.url };
    const proxy = { option: '', env: { http_proxy: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' } };
    const [key, about] = await signedBy(identityOn('aws', { env, options: { proxy } }));
    expect([key, about]).toEqual(['AKIAFOUND', expect.stringContaining('from the role app-role of the instance')]);
    expect(cloud.asked.slice(1).map(({ headers }) => headers['x-aws-ec2-metadata-token'])).toEqual(
      Array(2).fill('session-of-metadata'),
    );
  });

  test('of a program that a profile names', async () => {
    const home = homeWith({ '.aws/config': '[default]\ncredential_process = "/opt/my tool" --account 1\n' });
    const seen: (readonly string[])[] = [];
    const run = (words: readonly string[]) => {
      seen.push(words);
      return { exitCode: 0, stdout: JSON.stringify({ Version: 1, ...keys, SessionToken: 'x', Expiration: later }) };
    };
    expect((await signedBy(identityOn('aws', { home, run })))[0]).toBe('AKIAFOUND');
    expect(seen).toEqual([['/opt/my tool', '--account', '1']]);
  });
});

test.each([
  [3_600_000, 1],
  [60_000, 2],
])('credentials with %i ms left are looked up %i times for two brokers', async (left, times) => {
  using cloud = await startCloud({ 'GET /creds': { ...keys, Expiration: new Date(Date.now() + left).toISOString() } });
  const { sign } = identityOn('aws', { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/creds` } });
  for (const host of ['b-1.x.c2.kafka.eu-west-1.amazonaws.com', 'b-2.x.c2.kafka.eu-west-1.amazonaws.com'])
    await sign(host);
  expect(cloud.asked).toHaveLength(times);
});

/** The file where `aws sso login` keeps what it got. */
function ssoHome(kept: object): readonly [home: string, file: string] {
  const file = `.aws/sso/cache/${createHash('sha1').update('corp').digest('hex')}.json`;
  const config = `[default]\nsso_session=corp\nsso_account_id=123\nsso_role_name=Reader
[sso-session corp]\nsso_region=eu-west-1\nsso_start_url=https://corp.awsapps.com/start\n`;
  return [homeWith({ '.aws/config': config, [file]: JSON.stringify(kept) }), file];
}

describe('a login to IAM Identity Center', () => {
  const roleCredentials = {
    accessKeyId: 'AKIASSO',
    secretAccessKey: secret,
    sessionToken: 's',
    expiration: Date.parse(later),
  };

  test('is renewed when less than five minutes are left, and kept for the AWS CLI', async () => {
    using cloud = await startCloud({
      'POST /token': { accessToken: 'new-canary', expiresIn: 28_800, refreshToken: 'next-canary' },
      'GET /federation/credentials': { roleCredentials },
    });
    const kept = {
      accessToken: 'old-canary',
      expiresAt: new Date(Date.now() + 4 * 60_000).toISOString(),
      clientId: 'c',
      clientSecret: 'cs-canary',
      refreshToken: 'r-canary',
      registrationExpiresAt: later,
    };
    const [home, file] = ssoHome(kept);
    const env = { AWS_ENDPOINT_URL_SSO: cloud.url, AWS_ENDPOINT_URL_SSO_OIDC: cloud.url };
    expect((await signedBy(identityOn('aws', { env, home })))[0]).toBe('AKIASSO');
    expect(cloud.asked[1]).toMatchObject({
      line: 'GET /federation/credentials?role_name=Reader&account_id=123',
      headers: { 'x-amz-sso_bearer_token': 'new-canary' },
    });
    expect(JSON.parse(readFileSync(join(home, file), 'utf8'))).toMatchObject({
      accessToken: 'new-canary',
      refreshToken: 'next-canary',
      clientId: 'c',
    });
  });

  const old = {
    accessToken: 'old-canary',
    expiresAt: '2026-01-01T00:00:00Z',
    clientId: 'c',
    clientSecret: 'cs-canary',
    refreshToken: 'r1-canary',
    registrationExpiresAt: later,
  };
  const at = ({ url }: { readonly url: string }) => ({ AWS_ENDPOINT_URL_SSO: url, AWS_ENDPOINT_URL_SSO_OIDC: url });
  const keptIn = (home: string, file: string) => JSON.parse(readFileSync(join(home, file), 'utf8'));

  /** Takes each refresh token once. */
  function renewals(expiresIn = 28_800) {
    const seen: string[] = [];
    return ({ body }: Asked): Answer => {
      const { refreshToken } = JSON.parse(body);
      if (refreshToken !== `r${seen.length + 1}-canary`) return { status: 400, error: 'invalid_grant' };
      seen.push(refreshToken);
      return { accessToken: `new${seen.length}-canary`, expiresIn, refreshToken: `r${seen.length + 1}-canary` };
    };
  }

  test('is renewed once by commands that start together', async () => {
    using cloud = await startCloud({ 'POST /token': renewals(), 'GET /federation/credentials': { roleCredentials } });
    const [home, file] = ssoHome(old);
    const both = [1, 2].map(() => signedBy(identityOn('aws', { env: at(cloud), home })));
    expect((await Promise.all(both)).map(([key]) => key)).toEqual(['AKIASSO', 'AKIASSO']);
    expect(cloud.asked.filter(({ line }) => line === 'POST /token')).toHaveLength(1);
    expect(keptIn(home, file)).toMatchObject({ accessToken: 'new1-canary', refreshToken: 'r2-canary' });
  });

  test('that the AWS CLI renews at the same time is read again', async () => {
    const [home, file] = ssoHome(old);
    using cloud = await startCloud({
      'POST /token': () => {
        writeFileSync(join(home, file), JSON.stringify({ ...old, accessToken: 'cli-canary', expiresAt: later }));
        return { status: 400, error: 'invalid_grant' };
      },
      'GET /federation/credentials': { roleCredentials },
    });
    expect((await signedBy(identityOn('aws', { env: at(cloud), home })))[0]).toBe('AKIASSO');
    expect(cloud.asked.at(-1)?.headers['x-amz-sso_bearer_token']).toBe('cli-canary');
  });

  test('is not renewed by completion, which may end before the new one is kept', async () => {
    using cloud = await startCloud({ 'POST /token': renewals(), 'GET /federation/credentials': { roleCredentials } });
    const [home] = ssoHome(old);
    expect(await failure(identityOn('aws', { env: at(cloud), home, options: { mayRenew: false } }))).toContain(
      'the login expired at',
    );
    expect(cloud.asked).toEqual([]);
  });

  test('with times that are none works, and keeps the new refresh token', async () => {
    using cloud = await startCloud({
      'POST /token': renewals(1e300),
      'GET /federation/credentials': { roleCredentials: { ...roleCredentials, expiration: -1e20 } },
    });
    const [home, file] = ssoHome(old);
    expect((await signedBy(identityOn('aws', { env: at(cloud), home })))[0]).toBe('AKIASSO');
    expect(keptIn(home, file)).toMatchObject({ accessToken: 'new1-canary', refreshToken: 'r2-canary' });
  });

  test('is not shown if the portal repeats it', async () => {
    using cloud = await startCloud({
      'GET /federation/credentials': { status: 401, message: 'old-canary is unknown' },
    });
    const [home] = ssoHome({ ...old, expiresAt: later });
    expect(await failure(identityOn('aws', { env: at(cloud), home }))).toContain('*** is unknown (401)');
  });

  test('that has expired, and cannot be renewed, is named with what to do', async () => {
    const [home] = ssoHome({ accessToken: 'old-canary', expiresAt: '2026-01-01T00:00:00Z' });
    expect(await failure(identityOn('aws', { home }))).toBe(
      'unable to get AWS credentials from the SSO login of the profile "default": the login expired at 2026-01-01T00:00:00Z\nlog in with: aws sso login --profile default',
    );
  });
});

describe('what does not work is named', () => {
  test('no credentials anywhere: each place, and why it has none', async () => {
    expect(await failure(identityOn('aws', {}))).toBe(
      [
        'unable to get AWS credentials: there are none',
        'environment: AWS_ACCESS_KEY_ID is not set',
        'web identity: AWS_WEB_IDENTITY_TOKEN_FILE is not set',
        'profile: there is no profile "default" in ~/.aws/config and ~/.aws/credentials',
        'container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and AWS_CONTAINER_CREDENTIALS_FULL_URI are not set',
        'instance: AWS_EC2_METADATA_DISABLED is true',
        'log in with: aws sso login --profile PROFILE, and set aws.profile=PROFILE',
      ].join('\n'),
    );
  });

  const path = '/latest/meta-data/iam/security-credentials/';
  const session = { 'PUT /latest/api/token': 'session' };
  const html = '<html>login canary</html>';
  const instances: readonly (readonly [string, Readonly<Record<string, Answer>>, RegExp])[] = [
    [
      'a page in the place of the session',
      { 'PUT /latest/api/token': html },
      /answers without a session token \(IMDSv2\)$/m,
    ],
    ['a page in the place of a role', { ...session, [`GET ${path}`]: html }, /without the name of a role$/m],
    [
      'a page in the place of keys',
      { ...session, [`GET ${path}`]: 'r', [`GET ${path}r`]: html },
      /is not a JSON object \(200, text\/html\)$/m,
    ],
    [
      'keys that lack one',
      { ...session, [`GET ${path}`]: 'r', [`GET ${path}r`]: { AccessKeyId: 'AKIA' } },
      /has no AccessKeyId and SecretAccessKey$/m,
    ],
    [
      'a failure',
      { ...session, [`GET ${path}`]: 'r', [`GET ${path}r`]: { Code: 'AssumeRoleUnauthorizedAccess' } },
      /\(200, AssumeRoleUnauthorizedAccess\)$/m,
    ],
    ['no role', { ...session }, /^instance: the instance has no role$/m],
    ['another kind of endpoint', { 'PUT /latest/api/token': 403 }, /^instance: PUT http:.* answers 403$/m],
    ['no answer', { 'PUT /latest/api/token': 'hang' }, /^instance: no answer from http:\/\/127.*$/m],
  ];
  test.each(instances)('an instance with %s', async (_, answers, expected) => {
    using cloud = await startCloud(answers);
    const env = { AWS_EC2_METADATA_DISABLED: '', AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.url };
    expect(await failure(identityOn('aws', { env, patience: 300_000_000n }))).toMatch(expected);
  });

  const config = (text: string) => ({ home: homeWith({ '.aws/config': text }) });
  const process = config('[default]\ncredential_process=tool\n');
  const broken: readonly (readonly [string, Parameters<typeof identityOn>[1], RegExp])[] = [
    [
      'expired keys',
      {
        env: {
          AWS_ACCESS_KEY_ID: 'A',
          AWS_SECRET_ACCESS_KEY: secret,
          AWS_CREDENTIAL_EXPIRATION: '2026-01-01T00:00:00Z',
        },
      },
      /they expired at 2026-01-01T00:00:00Z$/m,
    ],
    ['half of the keys', { env: { AWS_ACCESS_KEY_ID: 'A' } }, /from the environment: AWS_SECRET_ACCESS_KEY is not set/],
    [
      'profiles in a circle',
      config('[default]\nrole_arn=a\nsource_profile=b\n[profile b]\nrole_arn=b\nsource_profile=default\n'),
      /leads back to it \(default → b → default\)/,
    ],
    [
      'a role that needs a code',
      config('[default]\nrole_arn=a\nsource_profile=b\nmfa_serial=m\n'),
      /requires the code of an MFA device/,
    ],
    [
      'a role without a source',
      config('[default]\nrole_arn=a\n'),
      /neither source_profile nor a known credential_source/,
    ],
    [
      'a program of the working directory',
      config('[default]\ncredential_process=bin/creds\n'),
      /the path of the program is relative/,
    ],
    ['a program that is missing', process, /there is no program "tool"/],
    [
      'a program that fails',
      { ...process, run: () => ({ exitCode: 3, stdout: 'canary' }) },
      /it failed with exit code 3/,
    ],
    [
      'a program that prints no object',
      { ...process, run: () => ({ exitCode: 0, stdout: 'canary' }) },
      /did not print a JSON object/,
    ],
    [
      'a program of another version',
      { ...process, run: () => ({ exitCode: 0, stdout: '{"a":"canary"}' }) },
      /without "Version": 1/,
    ],
    [
      'a container elsewhere',
      { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://evil.example/x' } },
      /is neither https:\/\/ nor of this machine/,
    ],
    [
      'a service without TLS',
      {
        env: { AWS_ENDPOINT_URL: 'http://evil.example', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: secret },
        options: { aws: { profile: '', region: '', roleArn: 'arn' } },
      },
      /is not encrypted/,
    ],
  ];
  test.each(broken)('%s', async (_, given, expected) => {
    expect(await failure(identityOn('aws', given))).toMatch(expected);
  });

  test.each([
    ['region', (at: string) => `region=${at}\nrole_arn=a\nweb_identity_token_file=~/token\n`],
    ['region of the profile of a role', (at: string) => `region=${at}\nrole_arn=a\ncredential_source=Environment\n`],
    [
      'sso_region',
      (at: string) =>
        `sso_session=corp\nsso_account_id=1\nsso_role_name=R\n[sso-session corp]\nsso_region=${at}\nsso_start_url=https://c.example\n`,
    ],
  ])('a %s in a file that would lead to another host', async (_, profile) => {
    const sso = { accessToken: 'sso-canary', expiresAt: later };
    const file = `.aws/sso/cache/${createHash('sha1').update('corp').digest('hex')}.json`;
    const env = { AWS_PROFILE: 'x', ...(profile('').includes('Environment') ? ofEnvironment : {}) };
    for (const region of ['x@127.0.0.1:1/', 'eu-west-1.evil.example/', 'eu-west-1@evil', 'EU-WEST-1', 'a b', '']) {
      const files = {
        '.aws/config': `[profile x]\n${profile(region)}`,
        token: 'jwt-canary',
        [file]: JSON.stringify(sso),
      };
      const given = { env, home: homeWith(files), options: { aws: { profile: 'x', region: '', roleArn: '' } } };
      expect(await failure(identityOn('aws', given))).toMatch(/ is not the name of a region$/m);
    }
  });

  test('a web identity that STS refuses, which is not shown', async () => {
    using cloud = await startCloud({
      'POST /': '<ErrorResponse><Error><Code>X</Code><Message>jwt-canary is bad</Message></Error></ErrorResponse>',
    });
    const home = homeWith({ token: 'jwt-canary\n' });
    const env = {
      AWS_WEB_IDENTITY_TOKEN_FILE: join(home, 'token'),
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/pod',
      AWS_ENDPOINT_URL_STS: cloud.url,
    };
    expect(await failure(identityOn('aws', { env, home }))).toContain('X: *** is bad (200)');
  });

  test('a container that refuses, whose authorization is not shown', async () => {
    using cloud = await startCloud({
      'GET /creds': { status: 403, message: 'Basic container-canary, container-canary' },
    });
    const env = {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/creds`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'Token container-canary',
    };
    expect(await failure(identityOn('aws', { env }))).toContain('answers 403: Basic ***, ***');
  });

  test('a role that may not be assumed, with the reason of STS', async () => {
    const refused =
      '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not &lt;you&gt;</Message></Error></ErrorResponse>';
    using cloud = await startCloud({ 'POST /': refused });
    const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL_STS: cloud.url };
    const aws = { profile: '', region: '', roleArn: 'arn:aws:iam::1:role/x' };
    expect(await failure(identityOn('aws', { env, options: { aws } }))).toContain('AccessDenied: not <you> (200)');
  });
});

describe('an address', () => {
  const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: secret };
  const withRegion = (region: string) => ({ aws: { profile: '', region, roleArn: '' } });

  test.each([
    ['boot-abc.c2.kafka-serverless.us-east-2.amazonaws.com', 'us-east-2'],
    ['b-2.demo.abc.c3.kafka.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
    ['B-1-public.demo.abc.c3.KAFKA.us-gov-west-1.amazonaws.com.', 'us-gov-west-1'],
  ])('%s says the region', async (host, region) => {
    const { text } = await identityOn('aws', { env, brokers: [host] }).get();
    expect(Buffer.from(text, 'base64url').toString('utf8')).toMatch(`https://kafka.${region}.amazonaws.com/`);
  });

  test.each([
    'evil.example',
    'kafka.eu-west-1.amazonaws.com.evil.example',
    'ec2-1-2-3-4.eu-west-1.compute.amazonaws.com',
    'x.kafka.eu-west-1.amazonaws.com.evil',
    'kafka-elb.eu-west-1.elb.amazonaws.com',
    '::1%x.kafka.eu-west-1.amazonaws.com',
  ])('%s gets nothing, unless the option says so, and a variable does not', async (host) => {
    const given = { env: { ...env, AWS_REGION: 'eu-west-1' }, brokers: [host] };
    expect(await failure(identityOn('aws', given))).toContain('it is not an address of Amazon MSK');
    const { about } = await identityOn('aws', { ...given, options: withRegion('us-east-1') }).get();
    expect(about).toContain('region us-east-1 (from aws.region)');
  });

  test('in another region than the option says is refused before anything is signed', async () => {
    expect(await failure(identityOn('aws', { env, options: withRegion('us-east-1') }))).toMatch(
      /^aws.region is us-east-1, but b-1.* is in eu-west-1$/m,
    );
  });

  test.each(['a b/', 'x@127.0.0.1:1/x?', 'eu-west-1\n'])(
    'gets nothing for the region %j, which is none',
    async (region) => {
      const brokers = ['tunnel.example'];
      expect(await failure(identityOn('aws', { env, brokers, options: withRegion(region) }))).toMatch(
        /^invalid aws\.region ".*": it is not the name of a region$/m,
      );
    },
  );

  test('that brokers of MSK announce gets nothing if it is foreign, although the region is set', async () => {
    const { checkPeer } = identityOn('aws', { env, options: withRegion('eu-west-1') });
    await checkPeer({ host: 'b-2.x.c2.kafka.eu-west-1.amazonaws.com', tls: true });
    await expect(checkPeer({ host: 'evil.example', tls: true })).rejects.toMatchObject({
      message: expect.stringContaining('it is not an address of Amazon MSK'),
      hints: expect.arrayContaining([
        'aws.region does not allow it, because the addresses in brokers are those of the service',
      ]),
    });
  });

  test('that brokers announce gets nothing if it is foreign, or not encrypted', async () => {
    const { checkPeer } = identityOn('aws', { env });
    await expect(checkPeer({ host: 'evil.example', tls: true })).rejects.toThrow('it is not an address of Amazon MSK');
    await expect(checkPeer({ host: 'b-2.x.c2.kafka.eu-west-1.amazonaws.com', tls: false })).rejects.toThrow(
      'the connection is not encrypted',
    );
  });
});

test('a checkup says whose identity it is, and where it comes from', async () => {
  using cloud = await startCloud({ 'POST /': ofSts('GetCallerIdentity', '<Arn>arn:aws:iam::1:user/me</Arn>') });
  const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL_STS: cloud.url };
  expect(await identityOn('aws', { env }).identify?.()).toBe(
    'arn:aws:iam::1:user/me, from the environment (AWS_ACCESS_KEY_ID); region eu-west-1 (from the address)',
  );
});
