import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { runner, weir } from '../built.ts';
import { temporaryDirectory } from '../world.ts';

const home = temporaryDirectory();
const bom = '\\xef\\xbb\\xbf';

beforeAll(() => {
  const subject = ['-subj', '/CN=localhost', '-days', '3'];
  const out = ['-keyout', join(home, 'key.pem'), '-out', join(home, 'ca.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...out, ...subject], { stdio: 'ignore' });
  writeFileSync(join(home, 'schema.json'), '{"type":"string"}');
});

/** Runs a line of bash, in which `weir` is what is tested. */
async function bash(line: string) {
  const { all, exitCode } = await execa('bash', ['-c', `weir() { "$NODE" "$WEIR" "$@"; }; ${line}`], {
    env: { PATH: process.env.PATH, HOME: home, NODE: runner, WEIR: weir },
    extendEnv: false,
    cwd: home,
    reject: false,
    all: true,
    timeout: 60_000,
  });
  return [all, exitCode];
}

// Nothing listens at port 9: who gets there has read everything.
const broker = 'weir topic list -X brokers=127.0.0.1:9';
const refused = [expect.stringMatching(/127\.0\.0\.1:9\b.*connection refused/), 5];

test.each([
  ['certificates', `${broker} -X tls.ca=<(cat ca.pem ca.pem)`],
  [
    'certificates and keys of Windows',
    `${broker} -X tls.cert=<(printf '${bom}'; sed 's/$/ \\r/' ca.pem) -X tls.key=<(sed 's/^/ /' key.pem)`,
  ],
  ['a secret', `${broker} -X user=u -X pass.file=<(sleep 0.2; printf 'pw\\n\\n')`],
  ['a pipe with a name', `mkfifo p; { sleep 0.2; cat ca.pem > p; } & ${broker} -X tls.ca=p`],
  ['standard input', `cat ca.pem | ${broker} -X tls.ca=/dev/stdin`],
  [
    'the profile file',
    "weir topic list --profile p --config <(printf 'profiles:\\r\\n  - name: p\\r\\n    options:\\r\\n      brokers: 127.0.0.1:9\\r\\n')",
  ],
  [
    'the broker configuration',
    `weir topic list --broker-config <(printf '${bom}rpk:\\n  kafka_api: {brokers: ["127.0.0.1:9"]}\\n')`,
  ],
  ['a password', 'printf pw | weir security user create u --password-file /dev/stdin -X brokers=127.0.0.1:9'],
  [
    'a schema and its reference',
    `weir registry schema create s --schema <(printf '${bom}'; cat schema.json) --type json -X registry.hosts=http://127.0.0.1:9`,
  ],
])('%s may come through a pipe', async (_, line) => {
  expect(await bash(line)).toEqual(refused);
});

test('a new profile may come through a pipe', async () => {
  const [all, exitCode] = await bash(
    "HOME=$PWD/other weir profile create k --from <(printf 'bootstrap.servers=b4.example:9092\\r\\n')",
  );
  expect([all, exitCode]).toEqual([expect.stringContaining('bootstrap.servers -> brokers'), 0]);
});

test('a pipe is not changed', async () => {
  const change = "weir profile set user=x --profile p --config <(printf 'profiles:\\n  - name: p\\n')";
  const message = /^weir: unable to change \/dev\/fd\/\d+: it is not a regular file$/m;
  expect(await bash(change)).toEqual([expect.stringMatching(message), 2]);
});

test.each([
  ['certificates', `mkfifo q1; ${broker} -X tls.ca=q1`, 'q1'],
  ['the profile file', 'mkfifo q2; weir topic list --config q2', 'q2'],
  ['a schema', 'mkfifo q3; weir registry schema create s --schema q3 --type json', 'q3'],
])('the message of the timeout names the pipe of %s', async (_, line, name) => {
  const message = `the command timed out (globals.command_timeout=300ms from -X globals.command_timeout) while waiting for ${join(home, name)}`;
  expect(await bash(`${line} -X globals.command_timeout=300ms`)).toEqual([expect.stringContaining(message), 5]);
});
