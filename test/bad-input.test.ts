import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type BadInput, badConfiguration, badConnections, badTopics, badWords } from './bad-input.ts';
import { services } from './services/services.ts';
import { run, temporaryDirectory } from './world.ts';

const canary = 'canary-s3cret';
const home = temporaryDirectory();
const topic = `bad-input-${process.pid}`;

function file(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const values: Record<string, string> = {
  canary,
  topic,
  '250 letters': 'a'.repeat(250),
  'not pem': file('not.pem', canary),
  'broken file': file('broken.yaml', 'version: 1\nprofiles:\n  - name: a\n    options: {brokers: [\n'),
  'wrong file': file(
    'wrong.yaml',
    `version: 1\ncurrent_profile: a\nprofiles:\n  - name: a\n    options:\n      broker: ${canary}\n      globals.dial_timeout: 5\n`,
  ),
  'newer file': file('newer.yaml', 'version: 2\nprofiles: []\n'),
  home,
};

const env = {
  HOME: home,
  XDG_STATE_HOME: join(home, 'state'),
  WEIR_PASS: canary,
  WEIR_CLOUD_CLIENT_SECRET: canary,
  // A single attempt each: retries are tested elsewhere.
  WEIR_GLOBALS_RETRY_TIMEOUT: '0s',
};

/** What a password on the command line is warned of, but not in machine output. */
const seenPassword =
  'warning: other users of this machine can see -X pass: use WEIR_PASS, or store it with "weir profile set pass"';

function filledIn(text: string): string {
  return text.replace(/\{([^{}]+)\}/g, (whole, name) => values[name] ?? whole);
}

beforeAll(async () => {
  const { ca, wrongCa, client, wrongClient } = services().certificates;
  Object.assign(values, services(), { ca, 'wrong ca': wrongCa });
  Object.assign(values, { cert: client.cert, 'wrong cert': wrongClient.cert, 'wrong key': wrongClient.key });
  await run(`topic create ${topic} -X brokers=${services().plaintext}`);
});

afterAll(() => run(`topic delete ${topic} -X brokers=${services().plaintext}`));

/** What `adviseConnection` adds to each failure to connect. */
const doctorHint = /(?:hint: )?check every step with: weir doctor (?:admin |registry )?-X .*\n?/;

describe.each([
  ['words', badWords],
  ['configuration', badConfiguration],
  ['connections', badConnections],
])('bad %s: message, hints and exit code', (_, table) => {
  it.each(table)('are correct for $line', async ({ line, exitCode, code, message, hints }: BadInput) => {
    const words = filledIn(line);
    const world = { env, home };
    const errors = message.map((text) => filledIn(text));
    const advice = hints.map((text) => filledIn(text));
    const lines = errors.map((text) => (text.startsWith(' ') ? text : `weir: ${text}`));
    const warnings = / -X pass=\S/.test(words) ? [seenPassword] : [];
    const stderr = [...warnings, ...lines, ...advice.map((text) => `hint: ${text}`), ''].join('\n');
    const text = await run(words, world);
    expect({ ...text, stderr: text.stderr.replace(doctorHint, '') }).toEqual({ stdout: '', stderr, exitCode });
    expect(doctorHint.test(text.stderr)).toBe(exitCode === 5 && code !== 'CONNECTION_LOST');

    const error = { code, message: errors.join('\n'), hint: advice.length > 0 ? advice.join('\n') : null };
    const json = await run(`--format json ${words}`, world);
    expect(json).toMatchObject({ stdout: '', exitCode });
    const object = JSON.parse(json.stderr);
    const hint = object.error.hint?.replace(doctorHint, '').trimEnd() || null;
    expect({ ...object.error, hint }).toMatchObject(error);
    expect(Object.keys(object.error).filter((key) => key !== 'target')).toEqual([...Object.keys(error), 'retryable']);
    const yaml = await run(`--format yaml ${words}`, world);
    expect([parse(yaml.stderr), yaml.stdout, yaml.exitCode]).toEqual([object, '', exitCode]);

    // Run with the most verbose output.
    const verbose = await run(`-vv --trace - ${words}`, world);
    expect(verbose.exitCode).toBe(exitCode);
    expect([stderr, json.stderr, yaml.stderr, verbose.stdout, verbose.stderr].join('')).not.toContain(canary);
  });
});

describe('bad topics: the error in the row and the exit code', () => {
  it.each(badTopics)('are correct for %s', async (...row) => {
    const [line, exitCode, code, number, message] = row;
    const words = `${filledIn(line)} -X brokers=${services().plaintext}`;
    const text = await run(words, { env });
    const reported = `: ${code}: ${filledIn(message)}`;
    expect({ ...text, stdout: '' }).toEqual({ stdout: '', stderr: expect.stringContaining(reported), exitCode });
    expect(text.stdout).toContain(`${code}: ${filledIn(message)}\n`);
    for (const format of ['json', 'yaml']) {
      const { stdout, stderr, exitCode: same } = await run(`${words} --format ${format}`, { env });
      const [row] = parse(stdout);
      expect(row.error ?? row.summary.error).toMatchObject({
        code,
        number,
        message: filledIn(message),
        exit_code: exitCode,
      });
      expect([parse(stderr).error.code, same]).toEqual([code, exitCode]);
    }
  });
});
