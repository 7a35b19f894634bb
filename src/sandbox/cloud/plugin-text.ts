/** One build of the test plugin. */
interface PluginBuild {
  readonly version: string;
  /** `linux` or `darwin`, as in install packs. */
  readonly os: string;
  /** `amd64` or `arm64`. */
  readonly arch: string;
  /** The interpreter in its shebang line: an absolute path, or `/usr/bin/env node`. */
  readonly interpreter: string;
}

/**
 * Returns the test plugin: one executable file in plain JavaScript. It takes the same arguments as the vendor's plugin,
 * but instead of changing a cloud it reports to the simulator in place of the agent.
 *
 * A test can set these variables: SIM_PLUGIN_RECORD (a file; each run appends a line of JSON), SIM_PLUGIN_URL (the
 * simulator, instead of CLOUD_URL or the token's issuer), SIM_PLUGIN_TOKEN_SHA256 (the hash of the expected token),
 * SIM_PLUGIN_ENVIRONMENT (more variables to record, separated by commas), SIM_PLUGIN_HANG (`before` or `after` the
 * report: waits for a signal there), SIM_PLUGIN_EXIT (the exit code of a successful run).
 */
export function pluginText({ version, os, arch, interpreter }: PluginBuild): string {
  return `#!${interpreter}\n${source.replace('BUILD', () => JSON.stringify({ version, os, arch }))}`;
}

const source = String.raw`'use strict';
const { createHash } = require('node:crypto');
const { appendFileSync } = require('node:fs');
const build = BUILD;
const argv = process.argv.slice(2);
const env = process.env;
const provider = argv[0];
const verb = argv[1];
const tokenAt = argv.indexOf('--cloud-api-token');
const token = tokenAt < 0 ? '' : argv[tokenAt + 1] || '';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const short = (text) => text.slice(0, 6) + '...(' + text.length + ')';

function log(level, message) {
  process.stderr.write([new Date().toISOString(), level, message].join('\t') + '\n');
}

function flag(name) {
  const at = argv.findIndex((word) => word === name || word.startsWith(name + '='));
  if (at < 0) return '';
  return argv[at] === name ? argv[at + 1] || '' : argv[at].slice(name.length + 1);
}

const clusterId = flag('--redpanda-id');

function seenEnvironment() {
  const more = (env.SIM_PLUGIN_ENVIRONMENT || '').split(',');
  const seen = {};
  for (const name of Object.keys(env).sort()) {
    if (!/^(WEIR|RPK|CLOUD|AWS|AZURE|ARM|GOOGLE)_/.test(name) && name !== 'PATH' && !more.includes(name)) continue;
    seen[name] = /SECRET|TOKEN|PASS|KEY/.test(name) ? '(set)' : env[name];
  }
  return seen;
}

function record(fields) {
  if (!env.SIM_PLUGIN_RECORD) return;
  const expected = env.SIM_PLUGIN_TOKEN_SHA256;
  const entry = {
    build,
    pid: process.pid,
    argv: argv.map((word) => (token !== '' && word.includes(token) ? short(token) : word)),
    token: short(token),
    token_sha256: sha256(token),
    token_matched: expected ? sha256(token) === expected.toLowerCase() : null,
    cwd: process.cwd(),
    environment: seenEnvironment(),
    stdin_is_terminal: Boolean(process.stdin.isTTY),
    ...fields,
  };
  appendFileSync(env.SIM_PLUGIN_RECORD, JSON.stringify(entry) + '\n', { mode: 0o600 });
}

function finish(code, message) {
  if (message) log(code === 0 ? 'INFO' : 'ERROR', message);
  record({ exit_code: code, message: message || '', signal: null });
  process.exitCode = code;
}

function complaint() {
  if (!['aws', 'azure', 'gcp'].includes(provider)) return 'unknown provider "' + provider + '"';
  if (!['apply', 'destroy', 'validate'].includes(verb)) return 'unknown verb "' + verb + '"';
  const tail = verb === 'validate' ? 2 : 4;
  if (token === '' || tokenAt !== argv.length - tail) return 'the last words must be --cloud-api-token TOKEN [--redpanda-id ID]';
  if (verb !== 'validate' && (argv[argv.length - 2] !== '--redpanda-id' || clusterId === '')) return '--redpanda-id is required, at the end';
  if (verb === 'validate' && clusterId !== '') return 'validate takes no --redpanda-id';
  if (provider === 'azure' && verb === 'apply' && flag('--subscription-id') === '') return '--subscription-id is required';
  if (provider === 'gcp' && verb !== 'validate' && flag('--project-id') === '') return '--project-id is required';
  return '';
}

function simulator() {
  if (env.SIM_PLUGIN_URL) return env.SIM_PLUGIN_URL.replace(/\/$/, '');
  if (env.CLOUD_URL) return env.CLOUD_URL.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '');
  const payload = JSON.parse(Buffer.from(token.split('.')[1] || '', 'base64url').toString('utf8') || '{}');
  return String(payload.iss || '').replace(/\/$/, '');
}

function hang() {
  const numbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  return new Promise((resolve) => {
    const timer = setInterval(() => {}, 1000);
    for (const signal of Object.keys(numbers))
      process.once(signal, () => {
        clearInterval(timer);
        record({ exit_code: 128 + numbers[signal], message: 'ended by a signal', signal });
        process.exitCode = 128 + numbers[signal];
        resolve(undefined);
      });
    record({ exit_code: null, message: 'hangs', signal: null });
    log('INFO', 'waiting for a signal');
  });
}

async function report() {
  const event = verb === 'apply' ? 'installed' : 'removed';
  const response = await fetch(simulator() + '/sim/agent/' + encodeURIComponent(clusterId) + '/' + event, {
    method: 'POST',
    headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
    body: JSON.stringify({ provider, plugin_version: build.version }),
  });
  const text = await response.text();
  return response.ok ? '' : 'the control plane answered ' + response.status + ': ' + text;
}

async function main() {
  if (argv.includes('--help-autocomplete')) {
    const commands = [];
    for (const one of ['aws', 'azure', 'gcp'])
      for (const what of ['apply', 'destroy', 'validate'])
        commands.push({ path: ['byoc', one, what].join('_'), short: what + ' a BYOC cluster on ' + one, long: '', example: '', args: [] });
    process.stdout.write(JSON.stringify(commands) + '\n');
    return;
  }
  const wrong = complaint();
  if (wrong !== '') return finish(64, wrong);
  log('INFO', 'plugin ' + build.version + ' ' + verb + ' on ' + provider);
  if (env.SIM_PLUGIN_HANG === 'before') return hang();
  if (verb !== 'validate') {
    const refused = await report();
    if (refused !== '') return finish(1, refused);
  }
  if (env.SIM_PLUGIN_HANG === 'after') return hang();
  finish(Number(env.SIM_PLUGIN_EXIT || 0), verb + ' done');
}

main().catch((error) => finish(1, String((error.cause && error.cause.message) || error.message)));
`;
