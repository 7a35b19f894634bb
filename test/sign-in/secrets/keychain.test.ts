import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Language, Parser } from 'web-tree-sitter';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { startDeadline } from '../../../src/deadline.ts';
import { type Host, realHost, type SpawnOptions, type SpawnResult } from '../../../src/host/host.ts';
import { openKeychain } from '../../../src/sign-in/secrets/keychain.ts';
import { openSecrets } from '../../../src/sign-in/secrets/secrets.ts';
import { hostOf, profileFile } from '../../config/sources/sources.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

const second = 1_000_000_000n;
const times = { dial: second, requestOverhead: second, retry: second, command: 600n * second, fetchMaxWait: second };

function deadlineNow() {
  const deadline = startDeadline(times);
  deadline.dispose();
  return deadline;
}

/** GNOME Keyring in a session of D-Bus that nothing else uses, unlocked. */
describe('the Secret Service', () => {
  let session: ChildProcess;
  let bus = '';
  let home = '';
  const spawnReal = realHost().spawn;

  beforeAll(async () => {
    const place = temporaryDirectory();
    mkdirSync(join(place, 'run'), { mode: 0o700 });
    const script =
      'printf unlock | gnome-keyring-daemon --unlock --components=secrets >/dev/null; echo "bus $DBUS_SESSION_BUS_ADDRESS"; cat';
    session = spawn('dbus-run-session', ['--', 'sh', '-c', script], {
      env: { ...process.env, HOME: place, XDG_RUNTIME_DIR: join(place, 'run'), XDG_DATA_HOME: '' },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    for await (const chunk of session.stdout ?? []) {
      bus = /bus (\S+)/.exec(String(chunk))?.[1] ?? '';
      if (bus !== '') break;
    }
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', bus);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    session.stdin?.end();
    if (session.exitCode === null) await once(session, 'exit');
  });
  beforeEach(async () => {
    home = temporaryDirectory();
    await run('profile create prod', { home });
  });

  const weir = (line: string, world: World = {}) => run(line, { home, spawn: spawnReal, ...world });
  const file = () => readFileSync(join(home, '.config/weir/weir.yaml'), 'utf8');
  /** What another program finds in the keychain. */
  const found = (name: string) =>
    spawnSync('secret-tool', ['lookup', 'service', 'weir', 'account', name], { encoding: 'utf8' }).stdout;

  async function passOf(): Promise<string> {
    const host = hostOf({ home, spawn: spawnReal });
    const config = await resolveConfig(host, { x: [], deprecated: [] });
    const parts = { host, config, deadline: deadlineNow(), mayRun: true, warnOnce: () => undefined };
    return await openSecrets(parts).get('pass');
  }

  test('keeps a password, and the profile says only where', async () => {
    const pass = ' pä"ss\\word\' $x ';
    const stored = await weir('profile set user=ana pass --keychain', {
      terminal: { typed: `${pass}\n`, stdin: true, stderr: true },
    });
    expect(stored.exitCode).toBe(2); // user is not a secret
    expect(await weir('profile set pass --stdin --keychain', { stdin: `${pass}\n` })).toEqual({
      stdout: 'Profile "prod" updated successfully.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(file()).toContain('pass.keychain: prod/pass\n');
    expect(file()).not.toContain('word');
    expect(found('prod/pass')).toBe(pass);
    expect(await passOf()).toBe(pass);
    const shown = await weir('config show pass --show-secrets --format json');
    expect(JSON.parse(shown.stdout)[0].value).toBe('[from keychain "prod/pass"]');
    await weir('profile unset pass');
  });

  test('loses an entry with the last setting that refers to it', async () => {
    await weir('profile set pass --stdin --keychain', { stdin: 'one' });
    await weir('profile set pass --stdin --keychain', { stdin: 'two' });
    await weir('profile create copy --from prod');
    expect((await weir('profile unset pass --profile prod')).stderr).toBe('');
    expect(found('prod/pass')).toBe('two');
    expect((await weir('profile delete copy --yes')).stderr).toContain('removed "prod/pass" from the keychain\n');
    expect(found('prod/pass')).toBe('');
    await expect(passOf()).resolves.toBe('');
  });

  test('never changes the entry of another profile, which was copied or renamed', async () => {
    await weir('profile set pass --stdin --keychain --profile prod', { stdin: 'of-prod' });
    await weir('profile create twin --from prod');
    await weir('profile set pass --stdin --keychain --profile twin', { stdin: 'of-twin' });
    expect([found('prod/pass'), found('twin/pass')]).toEqual(['of-prod', 'of-twin']);
    await weir('profile rename-to old --profile prod');
    await weir('profile create prod');
    await weir('profile set pass --stdin --keychain --profile prod', { stdin: 'of-new' });
    expect(found('prod/pass')).toBe('of-prod');
    const name = /pass\.keychain: (prod\/pass .+)/.exec(file())?.[1] ?? '';
    expect(found(name)).toBe('of-new');
    await weir('profile delete prod twin --yes');
    expect([found(name), found('twin/pass'), found('prod/pass')]).toEqual(['', '', 'of-prod']);
    await weir('profile rename-to prod --profile old');
    await weir('profile use prod');
    await weir('profile unset pass');
  });

  test('keeps nothing for a dry run, and another entry for another file with a profile of the same name', async () => {
    await weir('profile set pass --stdin --keychain --dry-run', { stdin: 'one' });
    expect(found('prod/pass')).toBe('');
    const other = join(home, 'other.yaml');
    await weir(`profile create prod --config ${other}`);
    await weir('profile set pass --stdin --keychain', { stdin: 'mine' });
    await weir(`profile set pass --stdin --keychain --config ${other}`, { stdin: 'other' });
    expect([found('prod/pass'), found(`prod/pass (${other})`)]).toEqual(['mine', 'other']);
    await weir('profile set pass=x');
    expect(found('prod/pass')).toBe('');
  });

  test('gives another profile file no entry of this one, even if that names it', async () => {
    await weir('profile set pass --stdin --keychain', { stdin: 'mine' });
    const other = join(home, 'other.yaml');
    writeFileSync(other, profileFile('pass.keychain: prod/pass'), { mode: 0o600 });
    await weir(`profile set pass --stdin --keychain --config ${other}`, { stdin: 'theirs' });
    expect([found('prod/pass'), found(`prod/pass (${other})`)]).toEqual(['mine', 'theirs']);
    writeFileSync(other, profileFile('pass.keychain: prod/pass'), { mode: 0o600 });
    const { stderr } = await weir(`profile delete prod --yes --config ${other}`);
    expect(stderr).toContain('"prod/pass" stays in the keychain: it was stored for another profile file');
    writeFileSync(other, profileFile(`pass.keychain: prod/pass (${other})`), { mode: 0o600 });
    await weir(`profile set pass=x --config ${other}`);
    expect([found('prod/pass'), found(`prod/pass (${other})`)]).toEqual(['mine', '']);
    await weir('profile unset pass');
  });

  test('has the old password again if the profile cannot be changed', async () => {
    await weir('profile set pass --stdin --keychain', { stdin: 'old' });
    const path = join(home, '.config/weir/weir.yaml');
    const before = file();
    const broken: Host['spawn'] = async (name, args, how) => {
      const result = await spawnReal(name, args, how);
      if (args[0] === 'store') writeFileSync(path, 'version: [');
      return result;
    };
    const { exitCode } = await weir('profile set pass --stdin --keychain', { stdin: 'new', spawn: broken });
    expect([exitCode, found('prod/pass')]).toEqual([2, 'old']);
    writeFileSync(path, before);
    await weir('profile unset pass');
  });

  test.each([
    ['two\nlines', /the keychain entry "odd" .*: it is not a secret: it has more than one line$/],
    ['', /: it is not a secret: it is empty$/],
  ])('with an entry that is no secret is an error', async (secret, message) => {
    const store = ['store', '--label=odd', 'service', 'weir', 'account', 'odd'];
    spawnSync('secret-tool', store, { input: secret, encoding: 'utf8' });
    await weir('profile set pass.keychain=odd');
    await expect(passOf()).rejects.toMatchObject({ name: 'CliError', message: expect.stringMatching(message) });
    await weir('profile unset pass');
  });

  test('that has no such entry is an error with advice', async () => {
    await weir('profile set pass.keychain=none');
    await expect(passOf()).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/: there is no such entry, or the keychain is locked$/),
    });
    expect((await weir('profile unset pass')).stderr).toContain('"none" is not in the keychain, or stays there');
  });

  test('that is missing is an error with the other ways, and nothing is stored', async () => {
    const nowhere: Host['spawn'] = (name, args, how) =>
      spawnReal(name, args, { ...how, env: { ...how.env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } });
    const before = file();
    const { stderr, exitCode } = await weir('profile set pass --stdin --keychain', { stdin: 'canary', spawn: nowhere });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^weir: unable to use the keychain: secret-tool: .+\nhint: .*\(pass\.file\).*\(pass\.command\)/,
    );
    expect(stderr).not.toContain('canary');
    await weir('profile set pass.keychain=prod/pass');
    const used = await weir('topic list -X user=u -X brokers=127.0.0.1:1', { spawn: nowhere });
    expect(used.stderr).toMatch(
      /get pass from the keychain entry "prod\/pass" \(.+weir\.yaml:\d+ \(profile prod\)\): unable/,
    );
    await weir('profile unset pass', { spawn: nowhere });
    const noProgram: Host['spawn'] = (_, args, how) => spawnReal('no-secret-tool-here', args, how);
    const without = await weir('profile set pass --stdin --keychain', { stdin: 'canary', spawn: noProgram });
    expect(without.stderr).toContain('hint: install secret-tool: libsecret-tools on Debian');
    expect(file()).toBe(before);
    await weir('profile set pass --stdin --keychain', { stdin: 'canary' });
    const stays = await weir('profile unset pass', { spawn: nowhere });
    expect(stays.stderr).toMatch(/warning: "prod\/pass" stays in the keychain: unable to use the keychain/);
    expect(stays.exitCode).toBe(0);
    await weir('profile set pass.keychain=prod/pass');
    await weir('profile unset pass');
  });
});

interface Call {
  readonly file: string;
  readonly args: readonly string[];
  readonly input: string | undefined;
}

/** The keychain of a system whose program is scripted, and what it was called with. */
function scripted(platform: NodeJS.Platform, answer: (call: Call) => Partial<SpawnResult>) {
  const calls: Call[] = [];
  const host: Host = hostOf({
    platform,
    async spawn(file: string, args: readonly string[], { input, cwd }: SpawnOptions) {
      // Windows would also look in the working directory for a program.
      expect(cwd).toBe(platform === 'win32' ? host.home : undefined);
      const call = { file, args, input };
      calls.push(call);
      return { exitCode: 0, stdout: '', stderr: '', ...answer(call) };
    },
  });
  return { calls, keychain: openKeychain({ host, deadline: deadlineNow() }) };
}

const odd = 'pä"ss\\wörd $x `y`';

test.each(['darwin', 'linux', 'win32'] as const)(
  'no name on %s has a line break, which would begin a command',
  async (platform) => {
    const { calls, keychain } = scripted(platform, () => ({}));
    const name = 'x"\ndelete-keychain login.keychain';
    for (const work of [keychain.read(name), keychain.store(name, 's'), keychain.remove(name)])
      await expect(work).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('has control characters'),
      });
    expect(calls).toEqual([]);
  },
);

test('an answer without end of the keychain is an error', async () => {
  const { keychain } = scripted('linux', () => ({ isTooLong: true }));
  await expect(keychain.read('x')).rejects.toThrow('unable to use the keychain: secret-tool printed more than 256 KiB');
});

describe('the keychain of macOS, scripted', () => {
  test('gets no line that its program would cut', async () => {
    const { calls, keychain } = scripted('darwin', () => ({}));
    await keychain.store('prod/pass', 'x'.repeat(3_900));
    await expect(keychain.store('prod/pass', 'x'.repeat(3_950))).rejects.toMatchObject({
      message: 'unable to use the keychain: the secret is too long for /usr/bin/security, which takes 4000 bytes',
    });
    expect(calls.map(({ input = '' }) => input.length <= 4_000)).toEqual([true]);
  });

  test('gets a password over standard input, and gives it back', async () => {
    let kept = '';
    const { calls, keychain } = scripted('darwin', ({ args, input }) => {
      if (args[0] === '-i') kept = /-w "((?:\\.|[^"\\])*)"\n$/.exec(input ?? '')?.[1]?.replace(/\\(.)/g, '$1') ?? '';
      return args[0] === 'find-generic-password' ? { stdout: `${kept}\n` } : {};
    });
    for (const secret of ['hunter2', 'with space"s\\', odd, 'weir-base64:x', ' edge ']) {
      await keychain.store('prod/pass', secret);
      expect(kept).toMatch(/^[\x20-\x7e]+$/);
      expect((await keychain.read('prod/pass'))?.replace(/\n$/, '')).toBe(secret);
    }
    expect(await keychain.remove('prod/pass')).toBe(true);
    expect(calls.flatMap(({ args }) => args).join(' ')).not.toContain('hunter2');
    expect(calls.map(({ file, args: [verb] }) => `${file} ${verb}`).slice(-3)).toEqual([
      '/usr/bin/security -i',
      '/usr/bin/security find-generic-password',
      '/usr/bin/security delete-generic-password',
    ]);
    expect(calls[0]?.input).toBe(
      'add-generic-password -U "-s" "weir" "-a" "prod/pass" -l "weir: prod/pass" -w "hunter2"\n',
    );
  });

  test('says that an entry is missing with exit code 44, and anything else is an error', async () => {
    const missing = scripted('darwin', () => ({ exitCode: 44, stderr: 'security: could not be found' }));
    expect(await missing.keychain.read('x')).toBeUndefined();
    expect(await missing.keychain.remove('x')).toBe(false);
    const locked = scripted('darwin', () => ({ exitCode: 36, stderr: 'security: User interaction is not allowed.\n' }));
    await expect(locked.keychain.read('x')).rejects.toMatchObject({
      code: 'NO_KEYCHAIN',
      message: 'unable to use the keychain: security: User interaction is not allowed.',
    });
  });
});

describe('the credential locker of Windows, scripted', () => {
  test('gets names and passwords over standard input of Windows PowerShell', async () => {
    let kept = '';
    const scripts: string[] = [];
    const { calls, keychain } = scripted('win32', ({ args, input = '' }) => {
      const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
      scripts.push(script);
      const [name, secret] = input.split('\n').map((line) => Buffer.from(line, 'base64').toString('utf8'));
      expect(name).toBe('prod ü/pass');
      if (script.includes('$v.Add(')) kept = secret ?? '';
      if (script.includes('RetrievePassword')) return kept === '' ? { exitCode: 44 } : { stdout: kept };
      return {};
    });
    expect(await keychain.read('prod ü/pass')).toBeUndefined();
    await keychain.store('prod ü/pass', odd);
    expect(kept).toMatch(/^[\x20-\x7e]+$/);
    expect(await keychain.read('prod ü/pass')).toBe(odd);
    await keychain.remove('prod ü/pass');
    expect(new Set(calls.map(({ file, args }) => [file, ...args.slice(0, -1)].join(' ')))).toEqual(
      new Set(['powershell.exe -NoLogo -NoProfile -NonInteractive -EncodedCommand']),
    );
    await Parser.init();
    const grammar = createRequire(import.meta.url).resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
    const parser = new Parser().setLanguage(await Language.load(grammar));
    // The grammar does not know types with the name of an assembly.
    for (const script of scripts)
      expect(parser.parse(script.replace(/,Windows\S+ContentType=WindowsRuntime/, ''))?.rootNode.hasError, script).toBe(
        false,
      );
  });
});
