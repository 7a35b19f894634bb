import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { leavesOf, walkTree } from '../src/cli/help/tree.ts';
import { commands } from '../src/commands/index.ts';
import { services } from './services/services.ts';
import { run, temporaryDirectory, type World } from './world.ts';

const home = temporaryDirectory();
const topic = `every-${process.pid}`;

/** A line for each command, in a working order; FORMAT is replaced by the output format. */
const lines: Readonly<Record<string, string>> = {
  'topic create': `topic create ${topic}-FORMAT -p 2`,
  'topic produce': `topic produce ${topic}-FORMAT`,
  'topic consume': `topic consume ${topic}-FORMAT -n 1 -o start`,
  'topic list': `topic list ${topic}-FORMAT ${topic}-0`,
  'topic describe': `topic describe ${topic}-FORMAT ${topic}-0 --stable`,
  'topic delete': `topic delete ${topic}-FORMAT ${topic}-0`,
  'cluster info': 'cluster info',
  'cluster health': 'cluster health',
  'cluster features': 'cluster features',
  'cluster config get': 'cluster config get node.id',
  'cluster config set': 'cluster config set log.cleaner.backoff.ms 16000 --dry-run',
  'cluster config list': 'cluster config list --default',
  // Other tests on the same broker change its topics and quotas.
  'cluster logdirs describe': 'cluster logdirs describe --aggregate-into broker',
  'cluster quotas describe': 'cluster quotas describe --name user=nobody',
  'cluster quotas alter': 'cluster quotas alter --default user --add request_percentage=50 --dry-run',
  'cluster quotas import': 'cluster quotas import --from nope.yaml --dry-run',
  'cluster txn list': 'cluster txn list --state Dead',
  'cluster txn describe': 'cluster txn describe nope',
  'cluster txn describe-producers': `cluster txn describe-producers -t ${topic}-FORMAT`,
  'cluster txn find-hanging': `cluster txn find-hanging -t ${topic}-FORMAT`,
  'cluster txn abort': `cluster txn abort ${topic}-FORMAT -p 0 --producer-id 7`,
  'config show': 'config show',
  'config explain': 'config explain brokers',
  'profile create': 'profile create FORMAT --set brokers=b.example --set pass=x -d words',
  'profile list': 'profile list',
  'profile current': 'profile current',
  'profile print': 'profile print',
  'profile describe': 'profile describe',
  'profile set': 'profile set user=FORMAT',
  'profile unset': 'profile unset user',
  'profile edit': 'profile edit',
  'profile rename-to': 'profile rename-to new-FORMAT',
  'profile prompt': 'profile prompt',
  'profile validate': 'profile validate',
  'profile use': 'profile use nope',
  'profile delete': 'profile delete nope',
  'profile clear': 'profile clear',
  'sandbox list': 'sandbox list',
  'sandbox start': 'sandbox start --dry-run --name every',
  'sandbox status': 'sandbox status --name nope',
  'sandbox logs': 'sandbox logs --name nope',
  'sandbox stop': 'sandbox stop --name nope',
  'sandbox purge': 'sandbox purge --name nope',
  'completion bash': 'completion bash',
  'completion zsh': 'completion zsh',
  'completion fish': 'completion fish',
  version: 'version',
  help: 'help topic list',
};

const world = (): World => ({
  home,
  env: { HOME: home, PATH: process.env.PATH, EDITOR: 'true', WEIR_BROKERS: services().plaintext },
  // A record that every input format accepts.
  stdin: '{"value":"a"}\n',
  spawn: async () => ({ exitCode: 0, stdout: '', stderr: '' }),
});

afterAll(() => run(['topic', 'delete', ...['text', 'json', 'yaml'].map((format) => `${topic}-${format}`)], world()));

describe('every command', () => {
  it('has a line here, except for the cloud commands, which are tested with their simulator', async () => {
    const leaves = leavesOf(await walkTree(commands)).filter(
      ({ path, command }) => path[0] !== 'cloud' && !command.hidden,
    );
    expect(Object.keys(lines).sort()).toEqual(leaves.map(({ path }) => path.join(' ')).sort());
  });

  it.each(Object.values(lines))(
    '%s: has the same exit code in every format, and machine output that matches its schema',
    async (line) => {
      const results = [];
      for (const format of ['text', 'json', 'yaml']) {
        const outcome = await run(`${line.replaceAll('FORMAT', format)} --format ${format}`, world());
        results.push({ format, ...outcome });
      }
      const [text, json, yaml] = results;
      expect([json?.exitCode, yaml?.exitCode], JSON.stringify(results)).toEqual([text?.exitCode, text?.exitCode]);
      // `run` has validated the JSON against the schema; the YAML must have the same shape.
      const documents = parseAllDocuments(yaml?.stdout ?? '').map((document) => shapeOf(document.toJS()));
      const printed = (json?.stdout ?? '') === '' ? [] : [shapeOf(JSON.parse(json?.stdout ?? ''))];
      expect(documents).toEqual(printed);
      for (const { stdout } of results.slice(1)) {
        expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
        expect(stdout).not.toContain('\u001b');
      }
    },
  );
});

/** Reduces a value to its keys and types. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
