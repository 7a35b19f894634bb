import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { realHost } from '../../src/host.ts';
import { profileFile, writeWhole } from '../config/sources/sources.ts';
import { admin, type Plane, startPlane } from '../sandbox/cloud/plane.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory, type World } from '../world.ts';
import { adminWorld } from './cluster/admin-world.ts';
import { transformWorld } from './transform/transform-world.ts';

/** What somebody else's server was sent, one line each. */
const seen: string[] = [];
const evil = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${body}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  });
});
let url = '';
let host = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => void evil.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(evil.address() as AddressInfo).port}`;
  url = `http://${host}`;
});
beforeEach(() => void seen.splice(0));
afterAll(() => void evil.close());

interface Given extends World {
  /** The options of the person's own profile. */
  readonly own?: readonly string[];
  /** The options of a broker configuration file of someone else. */
  readonly file?: readonly string[];
}

/** A home with a profile, and what runs in it. */
function homeWith({ own = [], file = [], ...world }: Given) {
  const home = temporaryDirectory();
  writeWhole(join(home, '.config/weir/weir.yaml'), profileFile(...own));
  const path = join(home, 'f.yaml');
  const rewrite = (lines: readonly string[]) =>
    writeWhole(path, `weir:\n  ${['globals.retry_timeout: 0s', ...lines].join('\n  ')}\n`);
  rewrite(file);
  const weir = (line: string, more: World = {}) =>
    run(`${line} --broker-config ${path}`, { home, cwd: home, ...world, ...more });
  return Object.assign(weir, { rewrite });
}

const refused = (key: string) => ({
  exitCode: 2,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`unable to (use|run) .* with ${key.replaceAll('.', '\\.')} \\(.*f\\.yaml`)),
});

describe('a broker configuration file of someone else', () => {
  const client = ['cloud.client_id: me'];
  const stdin = { stdin: 's3cret-canary' };

  test.each<[string, () => Given, string, string]>([
    [
      'where the secret of cloud login goes',
      () => ({ own: client, file: [`cloud.auth_url: ${url}`], ...stdin }),
      'cloud login --client-secret-stdin',
      'cloud.auth_url',
    ],
    [
      'where the token for it goes',
      () => ({ own: [...client, `cloud.auth_url: ${url}`], file: [`cloud.api_url: ${url}`], ...stdin }),
      'cloud login --client-secret-stdin',
      'cloud.api_url',
    ],
    [
      'where a secret that is typed goes',
      () => ({
        own: client,
        file: [`cloud.auth_url: ${url}`],
        ...stdin,
        terminal: { stdin: true, stderr: true },
      }),
      'cloud login',
      'cloud.auth_url',
    ],
    [
      'where the token of a browser goes',
      () => ({
        env: { WEIR_CLOUD_AUTH_URL: url, WEIR_CLOUD_DEVICE_CLIENT_ID: 'd' },
        file: [`cloud.legacy_url: ${url}`],
      }),
      'cloud login',
      'cloud.legacy_url',
    ],
    [
      'where WEIR_CLOUD_TOKEN goes',
      () => ({ own: [`cloud.api_url: ${url}`], env: { WEIR_CLOUD_TOKEN: 't' }, file: [`cloud.legacy_url: ${url}`] }),
      'cloud network list',
      'cloud.legacy_url',
    ],
    [
      'which Admin API gets the password of a new user',
      () => ({ own: ['brokers: [b1.example]'], file: [`admin.hosts: [${host}]`], ...stdin }),
      'security user create ana --api admin --password-stdin',
      'admin.hosts',
    ],
    [
      'which Admin API gets a license',
      () => ({ env: { WEIR_BROKERS: 'b1.example' }, file: [`admin.hosts: [${host}]`] }),
      'cluster license set s3cret-canary',
      'admin.hosts',
    ],
    [
      'which brokers get the token of a person',
      () => ({
        own: [`oauth.issuer: ${url}`, 'oauth.client_id: public', 'oauth.grant: device_code'],
        file: ['brokers: [evil.example]'],
      }),
      'cluster auth login',
      'brokers',
    ],
    [
      'which registry gets it',
      () => ({
        own: [`oauth.issuer: ${url}`, 'oauth.client_id: public', 'oauth.grant: authorization_code', 'brokers: [b]'],
        file: [`registry.hosts: [${host}]`],
      }),
      'cluster auth login',
      'registry.hosts',
    ],
    [
      'which brokers get a token for a secret of the environment and an issuer of the profile',
      () => ({
        own: [`oauth.issuer: ${url}`, 'oauth.client_id: c', 'sasl.mechanism: OAUTHBEARER'],
        env: { WEIR_OAUTH_CLIENT_SECRET: 's3cret-canary' },
        file: ['brokers: [evil.example]'],
      }),
      'topic list',
      'brokers',
    ],
  ])('does not decide %s', async (_, given, line, key) => {
    expect(await homeWith(given())(line)).toMatchObject(refused(key));
    // One that is only asked whether a user exists gets no secret.
    expect(seen.filter((one) => one.startsWith('POST') || /canary|Bearer/.test(one))).toEqual([]);
  });

  test('does not either through a profile that is copied from the configuration in use', async () => {
    const weir = homeWith({
      own: ['brokers: [b1.example]', 'user: alice', 'pass: s3cret-canary'],
      file: [`registry.hosts: [${host}]`, 'globals.proxy: "http://me:hidden@p.example:1"', 'admin.tls.enabled: true'],
    });
    const { stdout, exitCode } = await weir('profile create copy --from current');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      `registry.hosts, which would decide who gets your credentials; if you trust it: weir profile set registry.hosts=${host}\n`,
    );
    expect(stdout).toMatch(/^ {2}globals\.proxy, .* weir profile set globals\.proxy$/m);
    expect(stdout).not.toContain('hidden');
    expect((await weir('config show registry.hosts --format json --profile copy')).stdout).not.toContain(
      '(profile copy)',
    );
    expect(await weir('registry subject list')).toMatchObject({ exitCode: 2 });
    expect(seen).toEqual([]);
  });

  test('is copied with the credentials of the command, with a warning for what it trusts', async () => {
    const weir = homeWith({
      env: { WEIR_USER: 'u', WEIR_PASS: 'p' },
      file: ['brokers: [b1.example]', 'tls.insecure_skip_verify: true', 'cloud.api_url: https://a.example'],
    });
    const { stdout, stderr } = await weir('profile create copy --from current');
    expect(stdout).toContain('cloud.api_url, which would decide who gets your credentials');
    expect(stderr).toContain('the new profile accepts any certificate (tls.insecure_skip_verify)');
  });
});

test('which Admin API gets a secret of the cluster is not decided by a file of someone else', async () => {
  const { api, changes } = await adminWorld();
  const weir = homeWith({ own: ['brokers: [b1.example]'], file: [`admin.hosts: [${api.addresses.join()}]`] });
  const set = 'cluster config set --api admin --yes';
  expect(await weir(`${set} cloud_storage_secret_key s3cret-canary`)).toMatchObject(refused('admin.hosts'));
  expect(changes()).toEqual([]);
  expect(await weir(`${set} log_retention_ms 1000000`)).toMatchObject({ exitCode: 0 });
});

describe('a server that a file of someone else names does not get, whatever it says of secrets,', () => {
  const own = ['brokers: [b1.example]'];
  const property = { description: '', nullable: true, needs_restart: false, is_secret: false, visibility: 'user' };
  const lies = {
    cloud_storage_secret_key: { ...property, type: 'string' },
    log_type: { ...property, type: 'string', aliases: ['my_code'] },
    my_pin: { ...property, type: 'array', items: { type: 'string' } },
    my_token: { ...property, type: 'integer' },
  };

  test.each([
    'set cloud_storage_secret_key s3cret',
    'set my_code s3cret',
    'set my_token 123456',
    "set my_pin ['s3cret']",
    'set unknown s3cret --force',
    'set unknown s3cret --force --dry-run',
    'import --file -',
  ])('a property: %s', async (line) => {
    const { api, changes, switches } = await adminWorld();
    const text = JSON.stringify({ properties: lies });
    switches.addFault({ route: 'config.schema', effect: { kind: 'status', status: 200, text }, times: null });
    const weir = homeWith({ own, file: [`admin.hosts: [${api.addresses.join()}]`], stdin: 'my_code: s3cret\n' });
    expect(await weir(`cluster config ${line}${line.startsWith('set') ? ' --api admin' : ''} --yes`)).toMatchObject(
      refused('admin.hosts'),
    );
    expect(changes()).toEqual([]);
  });

  test('the variables of a transform', async () => {
    const { weir: _, api, changes, cwd } = await transformWorld();
    const weir = homeWith({ own, file: [`admin.hosts: [${api.addresses.join()}]`], cwd });
    expect(await weir('transform deploy --var CODE=s3cret')).toMatchObject(refused('admin.hosts'));
    expect(changes()).toEqual([]);
  });

  test.each([
    ['ssl.keystore.password=s3cret', refused('brokers')],
    ['my.plugin.code=s3cret', refused('brokers')],
    ['my_plugin_code=0x1', refused('brokers')],
    ['log.cleaner.backoff.ms=15000', { exitCode: 0 }],
    ['compression.type=producer', { exitCode: 0 }],
  ])('a config of brokers: %s', async (words, expected) => {
    const weir = homeWith({ own: ['admin.hosts: [a1.example]'], file: [`brokers: [${services().plaintext}]`] });
    expect(await weir(`cluster config set ${words} --api kafka --force --dry-run --yes`)).toMatchObject(expected);
  });
});

test('a login says where its token goes', async () => {
  const env = {
    WEIR_CLOUD_AUTH_URL: 'http://127.0.0.1:1',
    WEIR_CLOUD_API_URL: 'http://127.0.0.1:2',
    WEIR_CLOUD_CLIENT_ID: 'me',
    WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
  };
  const { stderr } = await run('cloud login', { env, stdin: 'x\r', terminal: { stdin: true, stderr: true } });
  expect(stderr).toMatch(
    /^client secret of me for http:\/\/127\.0\.0\.1:1 \(its token is sent to http:\/\/127\.0\.0\.1:2\): /,
  );
});

test('an imported file is told apart by what it would get', async () => {
  const home = temporaryDirectory();
  const lines = ['oauth.issuer: https://i.example', 'oauth.insecure_http: true', 'cloud.auth_url: https://c.example'];
  writeWhole(join(home, 'clone.yaml'), profileFile('brokers: [b1.example]', ...lines));
  const { stderr } = await run('profile create new --from clone.yaml', { home, cwd: home });
  expect(stderr.split('\n').filter((line) => line.startsWith('warning: the new profile'))).toEqual([
    expect.stringContaining(
      'sends client secrets and tokens to https://i.example (oauth.issuer); to undo that: weir profile',
    ),
    expect.stringContaining('allows secrets over plain HTTP (oauth.insecure_http)'),
    expect.stringContaining('sends client secrets and tokens to https://c.example (cloud.auth_url)'),
  ]);
});

describe('a login to the control plane that is kept', () => {
  let plane: Plane | undefined;
  beforeAll(async () => {
    plane = await startPlane();
  });
  afterAll(() => plane?.stop());
  const proxy = ['globals.proxy: http://127.0.0.1:1'];
  const addresses = () =>
    ['api_url', 'auth_url', 'legacy_url']
      .map((name) => `cloud.${name}: ${plane?.url}`)
      .concat(`cloud.client_id: ${admin.clientId}`, 'cloud.audience: cloudv2-sandbox.example');
  const list = 'cloud cluster list';
  const works = { exitCode: 0 };
  const asked = async () => (await plane?.journal())?.filter(({ route }) => route === 'oauth.token').length;

  test.each(['', ' --save'])('%s is not sent through a proxy of a file of someone else', async (save) => {
    const weir = homeWith({ own: addresses() });
    const stdin = admin.clientSecret;
    expect(await weir(`cloud login --client-secret-stdin${save}`, { stdin })).toMatchObject(works);
    expect(await weir(list)).toMatchObject(works);
    for (const file of [proxy, [...addresses(), ...proxy], ['cloud.insecure_http: true']]) {
      weir.rewrite(file);
      const [key = ''] = (file.at(-1) ?? '').split(': ');
      expect(await weir(list)).toMatchObject(refused(key));
      expect(await weir('cloud auth token')).toMatchObject(refused(key));
    }
    // The addresses are bound to the login, and so may come from anywhere.
    weir.rewrite(addresses());
    expect(await weir(list)).toMatchObject(works);
  });

  test.each([
    ['', ['cloud.client_secret: dummy']],
    [' --save', ['cloud.client_secret: dummy']],
    [' --save', [`cloud.client_id: ${admin.clientId}`, 'cloud.client_secret: dummy']],
  ])('%s is not used with a secret of the file, with which it was not made', async (save, secret) => {
    const weir = homeWith({ own: addresses() });
    expect(await weir(`cloud login --client-secret-stdin${save}`, { stdin: admin.clientSecret })).toMatchObject(works);
    weir.rewrite([...secret, ...proxy]);
    expect(await weir(list)).toMatchObject({ exitCode: 4 });
    expect(await weir('cloud auth token')).toMatchObject({ exitCode: 4, stdout: '' });
    // The same secret serves, without another request.
    const env = { WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret };
    weir.rewrite([]);
    const before = await asked();
    expect(await weir(list, { env })).toMatchObject(works);
    expect(await asked()).toBe(before);
  });

  test('is not used with the text that names where its secret is', async () => {
    const command = `/usr/bin/printf ${admin.clientSecret}`;
    const weir = homeWith({
      own: [...addresses(), `cloud.client_secret.command: ${command}`],
      spawn: realHost().spawn,
    });
    expect(await weir(list)).toMatchObject(works);
    const env = { WEIR_CLOUD_CLIENT_SECRET: `command ${command}` };
    expect(await weir(list, { env })).toMatchObject({ exitCode: 4 });
    expect(await weir(list)).toMatchObject(works);
  });

  test('keeps its token, and does not show it, when a file gives another secret and the way', async () => {
    const weir = homeWith({ own: addresses() });
    expect(await weir('cloud login --client-secret-stdin', { stdin: admin.clientSecret })).toMatchObject(works);
    const { stdout } = await weir('cloud auth token');
    const body = { access_token: 'other-token', token_type: 'Bearer', expires_in: 3600 };
    await plane?.fault('oauth.token', { kind: 'status', status: 200, body }, { times: 2 });
    // Also for a secret with the same mark, which is short enough to be guessed.
    for (const secret of ['dummy', admin.clientSecret]) {
      weir.rewrite([`cloud.client_secret: ${secret}`, 'cloud.insecure_http: true']);
      expect((await weir('cloud auth token')).stdout).toBe('other-token\n');
    }
    weir.rewrite([]);
    expect((await weir('cloud auth token')).stdout).toBe(stdout);
  });

  test('for a secret that is configured follows that secret', async () => {
    const env = { WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret };
    const weir = homeWith({ own: addresses(), env });
    expect(await weir(list)).toMatchObject(works);
    weir.rewrite(proxy);
    expect(await weir(list)).toMatchObject(refused('globals.proxy'));
    const other = homeWith({ file: [...addresses(), ...proxy], env });
    expect(await other(list)).toMatchObject(works);
    expect(await other(list)).toMatchObject(works);
  });
});

describe('a control plane that a file of someone else names', () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await startPlane();
  });
  beforeEach(() => plane.reset());
  afterAll(() => plane.stop());
  const urls = () => ['api_url', 'auth_url', 'legacy_url'].map((name) => `cloud.${name}: ${plane.url}`);
  const used = () => ({
    own: [`cloud.client_id: ${admin.clientId}`],
    env: { WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret, WEIR_CLOUD_AUDIENCE: 'cloudv2-sandbox.example' },
  });
  const cluster = JSON.stringify({
    ...{ name: 'first', type: 'TYPE_BYOC', cloud_provider: 'CLOUD_PROVIDER_AWS', region: 'eu-west-1' },
    ...{ zones: ['euw1-az1'], throughput_tier: 'tier-1-aws-v2-x86', resource_group_id: 'g', network_id: 'n' },
    connection_type: 'CONNECTION_TYPE_PUBLIC',
  });
  const whole = () => ({ ...used().env, WEIR_CLOUD_CLIENT_ID: admin.clientId });

  test.each([
    ['service-account create --name pipe --save-profile prod', 'cloud.auth_url'],
    ['service-account create --name pipe --save-profile prod --dry-run', 'cloud.auth_url'],
    ['cluster select first', 'cloud.api_url'],
    ['byoc aws validate', 'cloud.auth_url'],
    ['byoc aws apply --redpanda-id cccccccccccccccccccc', 'cloud.auth_url'],
    ['byoc install --cluster-id cccccccccccccccccccc', 'cloud.auth_url'],
    ['cluster create --file - --apply', 'cloud.auth_url'],
    ['cluster delete cccccccccccccccccccc --destroy --yes', 'cloud.auth_url'],
  ])('decides neither about a profile of the person nor about a program: %s', async (line, key) => {
    const weir = homeWith({ env: whole(), file: urls() });
    expect(await weir(`cloud ${line}`, { stdin: cluster })).toMatchObject(refused(key));
    const sent = (await plane.journal()).filter(({ method }) => method !== 'GET');
    expect(sent.filter(({ route }) => route !== 'oauth.token')).toEqual([]);
    expect((await weir('profile print prod')).stdout).not.toContain('cloud');
  });

  test.each([
    'service-account create --name pipe --save-profile prod',
    'cluster select first',
    'login --save',
    'byoc aws validate',
    'byoc install --cluster-id cccccccccccccccccccc',
  ])('does not answer for an account of someone else: %s', async (line) => {
    const weir = homeWith({ file: ['cloud.client_id: theirs', 'cloud.client_secret: s3cret-canary'] });
    const { WEIR_CLOUD_CLIENT_ID: _, WEIR_CLOUD_CLIENT_SECRET: __, ...env } = whole();
    const at = { ...env, WEIR_CLOUD_API_URL: plane.url, WEIR_CLOUD_AUTH_URL: plane.url };
    expect(await weir(`cloud ${line}`, { env: at })).toMatchObject(refused('cloud.client_id'));
    expect((await plane.journal()).filter(({ route }) => route?.startsWith('service-accounts'))).toEqual([]);
  });

  test('does not grant the token for which another one names the brokers of a profile', async () => {
    const weir = homeWith({ own: [], file: [`cloud.auth_url: ${plane.url}`] });
    const env = { ...whole(), WEIR_CLOUD_API_URL: plane.url };
    expect(await weir('cloud cluster select first', { env })).toMatchObject(refused('cloud.auth_url'));
  });

  test('is warned of when its account gets into a new profile', async () => {
    const weir = homeWith({ file: ['cloud.client_id: theirs', 'cloud.client_secret: s3cret-canary'] });
    const { stderr } = await weir('profile create y --from f.yaml');
    expect(stderr).toContain(
      'the new profile signs in to the control plane as theirs (cloud.client_id); to undo that: weir',
    );
  });

  test('does not name a program in a profile file of someone else', async () => {
    const weir = homeWith({});
    const home = temporaryDirectory();
    const path = join(home, 'theirs.yaml');
    writeWhole(path, profileFile(...urls(), 'cloud.client_id: theirs', 'cloud.client_secret: s3cret-canary'));
    chmodSync(path, 0o644);
    expect(await weir(`cloud byoc aws validate --config ${path}`)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/unable to run the plugin of a control plane with cloud\.auth_url/),
    });
    expect(await plane.journal()).toEqual([]);
  });

  test('is replaced in a profile that gets the credentials of another one, also by the default', async () => {
    const weir = homeWith({ own: ['cloud.auth_url: https://other.example'] });
    const env = { ...whole(), WEIR_CLOUD_API_URL: plane.url, WEIR_CLOUD_AUTH_URL: plane.url };
    const line = 'cloud service-account create --name pipe --save-profile prod';
    expect(await weir(line, { env })).toMatchObject({ exitCode: 0 });
    const { stdout } = await weir('profile print prod');
    expect(stdout).toContain(`cloud.auth_url: ${plane.url}`);
    expect(stdout).toContain('cloud.legacy_url: https://cloud-api.prd.cloud.redpanda.com');
  });
});

test('what names a file of the person, or replaces their login, is not taken from a file', async () => {
  const file = ['oauth.tls.cert: /c.pem', 'oauth.tls.key: /k.pem', 'cloud.client_secret: s3cret-canary'];
  const weir = homeWith({ own: ['brokers: [b1.example]'], file });
  const { stdout } = await weir('profile create copy --from current');
  for (const word of ['oauth.tls.cert=/c.pem', 'oauth.tls.key=/k.pem', 'cloud.client_secret'])
    expect(stdout).toMatch(
      new RegExp(`, which may come from someone else; if it is yours: weir profile set ${word}$`, 'm'),
    );
  const shown = await weir('profile print copy');
  expect(shown.stdout).toContain('b1.example');
  expect(shown.stdout).not.toMatch(/oauth|cloud/);
  const imported = await weir('profile create other --from f.yaml');
  expect(imported.stdout).toContain('oauth.tls.key, which may come from someone else');
  expect((await weir('profile print other')).stdout).not.toContain('oauth');
});

test.each([
  ['topic alter-config t --set my.link.password=s3cret', refused('brokers')],
  ['topic alter-config t --append my.tokens=s3cret', refused('brokers')],
  ['topic set-config t my.secret=s3cret --dry-run', refused('brokers')],
  ['topic create secret-configs -c my.api.key=s3cret', refused('brokers')],
  ['topic create secret-configs -c retention.ms=1000 --dry-run', { exitCode: 0 }],
])('a config of topics whose name looks secret is not sent to brokers of the file: %s', async (line, expected) => {
  const weir = homeWith({ own: ['admin.hosts: [a1.example]'], file: [`brokers: [${services().plaintext}]`] });
  expect(await weir(line)).toMatchObject(expected);
});

test('the password in a URL without a host is not shown as a port', async () => {
  for (const option of ['registry.hosts=http://u:S3CRET', 'admin.hosts=u:S3CRET', 'brokers=u:S3CRET']) {
    const { exitCode, stderr } = await run(`topic list -X ${option}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('a port must be a number from 1 to 65535');
    expect(stderr).not.toContain('S3CRET');
  }
});

test.each([
  [['user: u'], 'pass'],
  [['sasl.mechanism: SCRAM-SHA-256'], 'user'],
])(
  'the hint for what a named profile does not have is not a variable, which is not about it: %s',
  async (options, key) => {
    const home = temporaryDirectory();
    writeWhole(join(home, '.config/weir/weir.yaml'), profileFile('brokers: ["127.0.0.1:1"]', ...options));
    const env = { WEIR_PASS: 's3cret', WEIR_USER: 'ana' };
    const { exitCode, stderr } = await run('topic copy prod:a b', { home, env });
    expect(exitCode).toBe(2);
    const word = key === 'user' ? 'user=TEXT' : key;
    expect(stderr).toContain(
      `hint: flags and variables are not about the profile "prod": set ${key} in it with: weir profile set --profile prod ${word}\n`,
    );
  },
);

test('a refusal for a named profile does not advise a flag, which is not about it', async () => {
  const weir = homeWith({
    own: ['brokers: ["127.0.0.1:1"]', 'user: u', 'pass: s3cret'],
    file: ['tls.insecure_skip_verify: true'],
  });
  const { stderr } = await weir('topic copy prod:a b');
  expect(stderr).toMatch(/unable to use pass .*\nhint: if you trust it, say so in your own profile\n/);
  expect((await weir('topic list')).stderr).toContain('say so with -X tls.insecure_skip_verify=true or with');
});
