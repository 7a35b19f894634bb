import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { realHost } from '../../src/host/host.ts';
import { profileFile, writeWhole } from '../config/sources/sources.ts';
import { runProcess } from '../process-run.ts';
import { startScriptedRegistry } from '../registry/scripted-registry.ts';
import { admin, type Plane, startPlane } from '../sandbox/cloud/plane.ts';
import { services } from '../services/services.ts';
import { run, temporaryDirectory, type World } from '../world.ts';
import { adminWorld } from './cluster/admin-world.ts';

/** Files, variables and flags, in which BROKERS, USER and PASS are those of the real broker. */
interface Layout {
  /** The options of the person's own profile. */
  readonly own?: readonly string[];
  /** The options of repo/weir.yaml. */
  readonly repo?: readonly string[];
  /** The options of repo/b.yaml, a broker configuration file. */
  readonly broker?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: string;
}

/** Runs a line as a process, in a working copy whose files everybody can read. */
async function inRepository(line: string, { own, repo, broker, env = {}, flags = '' }: Layout) {
  const { saslTls, user, certificates } = services();
  const home = temporaryDirectory();
  const directory = join(home, 'repo');
  mkdirSync(join(directory, '.git'), { recursive: true });
  copyFileSync(certificates.ca, join(directory, 'ca.pem'));
  const filled = (text: string): string =>
    text
      .replace('=BROKERS', `=${saslTls}`)
      .replace(/: BROKERS/, `: ["${saslTls}"]`)
      .replace('USER', user.user)
      .replace('PASS', user.pass);
  const put = (path: string, text: string): void => {
    writeWhole(path, text);
    chmodSync(path, 0o644);
  };
  if (own !== undefined) writeWhole(join(home, '.config/weir/weir.yaml'), profileFile(...own.map(filled)));
  if (repo !== undefined) put(join(directory, 'weir.yaml'), profileFile(...repo.map(filled)));
  if (broker !== undefined) put(join(directory, 'b.yaml'), `weir:\n  ${broker.map(filled).join('\n  ')}\n`);
  const named = Object.entries(env).map(([name, text]) => [
    `WEIR_${name}`,
    { BROKERS: saslTls, USER: user.user, PASS: user.pass }[text] ?? text,
  ]);
  const words = [
    ...line.split(' '),
    ...filled(flags)
      .split(' ')
      .filter((word) => word !== ''),
  ];
  return await runProcess(words, { env: Object.fromEntries(named) }, { cwd: home, home });
}

describe('the layouts of CI work without a word', () => {
  const account = { USER: 'USER', PASS: 'PASS' };
  const all = { BROKERS: 'BROKERS', ...account };
  const ca = 'tls.ca: ./ca.pem';

  test.each<[string, Layout]>([
    [
      'brokers in a broker file, the account in the own profile',
      { own: ['user: USER', 'pass: PASS'], broker: ['brokers: BROKERS', ca], flags: '--broker-config repo/b.yaml' },
    ],
    [
      'the same, named by its variable',
      { own: ['user: USER', 'pass: PASS'], broker: ['brokers: BROKERS', ca], env: { BROKER_CONFIG: 'repo/b.yaml' } },
    ],
    [
      'only the CA in a broker file, the rest in variables',
      { broker: [ca], env: all, flags: '--broker-config repo/b.yaml' },
    ],
    ['the mechanism too', { broker: [ca, 'sasl.mechanism: PLAIN'], env: all, flags: '--broker-config repo/b.yaml' }],
    [
      'no verification in a broker file',
      {
        broker: ['tls.enabled: true', 'tls.insecure_skip_verify: true'],
        env: all,
        flags: '--broker-config repo/b.yaml',
      },
    ],
    [
      'only the CA in a profile of the repository, the rest in variables',
      { repo: [ca], env: { ...all, CONFIG: 'repo/weir.yaml' } },
    ],
    [
      'the same, named by a flag, the addresses in flags',
      { repo: [ca], env: account, flags: '--config repo/weir.yaml -X brokers=BROKERS' },
    ],
    [
      'brokers and user in a profile of the repository, the password in a variable',
      { repo: ['brokers: BROKERS', 'user: USER', ca], env: { PASS: 'PASS', CONFIG: 'repo/weir.yaml' } },
    ],
    [
      'the same beside a registry in a variable',
      {
        repo: ['brokers: BROKERS', 'user: USER', ca],
        env: { PASS: 'PASS', CONFIG: 'repo/weir.yaml', REGISTRY_HOSTS: 'r.example' },
      },
    ],
    [
      'a profile of the repository above a broker file',
      {
        repo: ['user: USER', 'pass: PASS'],
        broker: ['brokers: BROKERS', ca],
        env: { CONFIG: 'repo/weir.yaml', BROKER_CONFIG: 'repo/b.yaml' },
      },
    ],
  ])('%s', async (name, layout) => {
    const holdsSecret = layout.repo?.some((line) => line.startsWith('pass')) === true;
    const { exitCode, stderr } = await inRepository('topic list', layout);
    expect(
      {
        exitCode,
        stderr: holdsSecret ? stderr.replace(/^warning: .* contains secrets and other users .*\n/, '') : stderr,
      },
      name,
    ).toEqual({ exitCode: 0, stderr: '' });
  });

  test('a registry of a variable gets the account of the profile and the password of a variable', async () => {
    await using server = await startScriptedRegistry(() => [200, []]);
    const env = { PASS: 'PASS', CONFIG: 'repo/weir.yaml', REGISTRY_HOSTS: server.url };
    const { exitCode, stderr } = await inRepository('registry subject list', {
      repo: ['brokers: BROKERS', 'user: USER'],
      env,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { user, pass } = services().user;
    expect(server.calls[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}`);
  });

  test('-v names both sources of an address and of the secret for it', async () => {
    const layout: Layout = {
      own: ['user: USER', 'pass: PASS'],
      broker: ['brokers: BROKERS', ca],
      flags: '--broker-config repo/b.yaml -v',
    };
    const { stderr } = await inRepository('topic list', layout);
    expect(stderr).toMatch(
      /^addresses and secrets come from different sources: brokers from \S+\/b\.yaml:2 \(section weir\) with pass from \S+\/weir\.yaml:7 \(profile prod\)$/m,
    );
  });

  test('doctor names both, and only the brokers are checked if they are named', async () => {
    const layout: Layout = {
      own: ['user: USER', 'pass: PASS', 'registry.hosts: ["127.0.0.1:1"]'],
      broker: ['brokers: BROKERS', ca],
      flags: '--broker-config repo/b.yaml --format json',
    };
    const { stdout, exitCode } = await inRepository('doctor kafka', layout);
    const { checks } = JSON.parse(stdout);
    expect([exitCode, new Set(checks.map(({ api }: { readonly api: string }) => api))]).toEqual([
      0,
      new Set(['kafka']),
    ]);
    expect(checks[0]).toMatchObject({
      ...{ step: 'config', status: 'ok' },
      detail: expect.stringMatching(
        /^addresses and secrets come from different sources: brokers from .*b\.yaml:2 .* with pass from /,
      ),
    });
  });

  test('a file in the current directory is not read', async () => {
    const { stdout } = await inRepository('config show brokers', {
      repo: ['brokers: BROKERS'],
      broker: ['brokers: BROKERS'],
    });
    expect(stdout).toContain('localhost:9092');
  });
});

test('a program of a broker configuration file is listed, and not started', async () => {
  const broker = ['brokers: BROKERS', 'user: USER', 'tls.ca: ./ca.pem', 'pass.command: touch ran'];
  const { exitCode, stderr } = await inRepository('topic list', { broker, flags: '--broker-config repo/b.yaml' });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^warning: ignored pass\.command \(\S+b\.yaml:5 \(section weir\)\): programs of a broker configuration file are not started$/m,
  );
  expect(stderr).toContain('weir: user is set, but pass is not');
});

test('a program of a profile in a repository is started', async () => {
  const repo = ['brokers: BROKERS', 'user: USER', 'tls.ca: ./ca.pem', 'pass.command: echo PASS'];
  const { exitCode, stderr } = await inRepository('topic list', { repo, flags: '--config repo/weir.yaml' });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

describe('the plugin of a control plane', () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await startPlane();
  });
  beforeEach(() => plane.reset());
  afterAll(() => plane.stop());
  const urls = () => ['api_url', 'auth_url', 'legacy_url'].map((name) => `cloud.${name}: ${plane.url}`);
  const env = { WEIR_CLOUD_CLIENT_ID: admin.clientId, WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret };

  test.each(['byoc aws validate', 'byoc install --cluster-id cccccccccccccccccccc'])(
    'is not run for an address of a broker configuration file: %s',
    async (line) => {
      const home = temporaryDirectory();
      const path = join(home, 'f.yaml');
      writeWhole(path, `weir:\n  ${urls().join('\n  ')}\n`);
      const { exitCode, stderr } = await run(`cloud ${line} --broker-config ${path}`, { home, env });
      expect(exitCode).toBe(2);
      expect(stderr).toContain(
        `unable to start the plugin of a control plane: a broker configuration file chooses it, with cloud.api_url (${path}:2 `,
      );
      expect(await plane.journal()).toEqual([]);
    },
  );

  test('is not run for one of a profile file that others can write', async () => {
    const home = temporaryDirectory();
    const path = join(home, 'theirs.yaml');
    writeWhole(path, profileFile(...urls()));
    chmodSync(path, 0o666);
    const { exitCode, stderr } = await run(`cloud byoc aws validate --config ${path}`, { home, env });
    expect(exitCode).toBe(6);
    expect(stderr).toContain('other users can change the profile file, which chooses the plugin of a control plane');
    expect(await plane.journal()).toEqual([]);
  });
});

test('brokers of a flag beside the admin.hosts of a profile: a warning names both, and the question where it acts', async () => {
  const { api, changes } = await adminWorld();
  const home = temporaryDirectory();
  const address = api.addresses[0] ?? '';
  writeWhole(join(home, '.config/weir/weir.yaml'), profileFile('brokers: [b1.example]', `admin.hosts: ["${address}"]`));
  const terminal = { typed: 'n\n', stdin: true, stderr: true };
  const line = 'cluster partitions disable orders --partitions 0 -X brokers=b2.example';
  const { stderr } = await run(line, { home, terminal });
  const warning = `brokers is b2.example:9092 (-X brokers), but admin.hosts is ${address} (`;
  expect(stderr).toContain(warning);
  expect(stderr.split(warning)).toHaveLength(2);
  expect(stderr).toContain(`on profile "prod" (${address})? [y/N]`);
  expect(changes()).toEqual([]);
  const own = await run('cluster health --api admin', { home });
  expect(own.stderr).not.toContain('two clusters');
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

describe('a login to the control plane that is kept', () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await startPlane();
  });
  afterAll(() => plane.stop());
  const works = { exitCode: 0 };
  const list = 'cloud cluster list';
  function homeWith(more: readonly string[] = [], world: World = {}) {
    const home = temporaryDirectory();
    const place = ['api_url', 'auth_url', 'legacy_url'].map((name) => `cloud.${name}: ${plane.url}`);
    const options = [
      ...place,
      `cloud.client_id: ${admin.clientId}`,
      'cloud.audience: cloudv2-sandbox.example',
      ...more,
    ];
    writeWhole(join(home, '.config/weir/weir.yaml'), profileFile(...options));
    return (line: string, given: World = {}) => run(line, { home, cwd: home, ...world, ...given });
  }

  test.each(['', ' --save'])('%s is not used with a secret with which it was not made', async (save) => {
    const weir = homeWith();
    expect(await weir(`cloud login --client-secret-stdin${save}`, { stdin: admin.clientSecret })).toMatchObject(works);
    const other = { WEIR_CLOUD_CLIENT_SECRET: 'dummy' };
    expect(await weir(list, { env: other })).toMatchObject({ exitCode: 4 });
    expect(await weir('cloud auth token', { env: other })).toMatchObject({ exitCode: 4, stdout: '' });
    // The same secret serves, without another request.
    const asked = async () => (await plane.journal()).filter(({ route }) => route === 'oauth.token').length;
    const before = await asked();
    expect(await weir(list, { env: { WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret } })).toMatchObject(works);
    expect(await asked()).toBe(before);
  });

  test('is not used with the text that names where its secret is', async () => {
    const command = `/usr/bin/printf ${admin.clientSecret}`;
    const weir = homeWith([`cloud.client_secret.command: ${command}`], { spawn: realHost().spawn });
    expect(await weir(list)).toMatchObject(works);
    const env = { WEIR_CLOUD_CLIENT_SECRET: `command ${command}` };
    expect(await weir(list, { env })).toMatchObject({ exitCode: 4 });
    expect(await weir(list)).toMatchObject(works);
  });

  test('is not sent to another address', async () => {
    const weir = homeWith();
    expect(await weir('cloud login --client-secret-stdin --save', { stdin: admin.clientSecret })).toMatchObject(works);
    const elsewhere = await weir(list, { env: { WEIR_CLOUD_API_URL: 'http://127.0.0.1:1', WEIR_CLOUD_CLIENT_ID: '' } });
    expect(elsewhere.exitCode).not.toBe(0);
  });

  test('is replaced in a profile that gets the credentials of another one, also by the default', async () => {
    const weir = homeWith();
    const env = {
      WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret,
      WEIR_CLOUD_LEGACY_URL: 'https://cloud-api.prd.cloud.redpanda.com',
    };
    const line = 'cloud service-account create --name pipe --save-profile other';
    expect(await weir(line, { env })).toMatchObject(works);
    const { stdout } = await weir('profile print other');
    expect(stdout).toContain(`cloud.auth_url: ${plane.url}`);
    expect(stdout).toContain('cloud.legacy_url: https://cloud-api.prd.cloud.redpanda.com');
  });
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
