import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { leavesOf, walkTree } from '../src/cli/help/tree.ts';
import { commands } from '../src/commands/index.ts';
import { services } from './services/services.ts';
import { run, temporaryDirectory, type World } from './world.ts';

const home = temporaryDirectory();
for (const format of ['text', 'json', 'yaml'])
  writeFileSync(
    join(home, `${format}.yaml`),
    `weir: 1\ntopics: {every-${process.pid}-of-${format}: {partitions: 1}}\n`,
  );
const topic = `every-${process.pid}`;

/** A line for each command, in a working order; FORMAT is replaced by the output format. */
const lines: Readonly<Record<string, string>> = {
  'topic create': `topic create ${topic}-FORMAT -p 2`,
  'topic produce': `topic produce ${topic}-FORMAT`,
  'topic consume': `topic consume ${topic}-FORMAT -n 1 -o start`,
  'topic copy': `topic copy ${topic}-FORMAT ${topic}-0`,
  'topic redrive': `topic redrive ${topic}-FORMAT --to ${topic}-0`,
  'topic search': `topic search ${topic}-FORMAT --where 'value != null' -n 1`,
  'topic list': `topic list ${topic}-FORMAT ${topic}-0`,
  'topic describe': `topic describe ${topic}-FORMAT ${topic}-0 --stable`,
  'topic alter-config': `topic alter-config ${topic}-FORMAT ${topic}-0 -s retention.ms=60000`,
  'topic set-config': `topic set-config ${topic}-FORMAT retention.ms=50000`,
  'topic add-partitions': `topic add-partitions ${topic}-FORMAT ${topic}-0 -n 1`,
  'topic trim-prefix': `topic trim-prefix ${topic}-FORMAT -o end --yes`,
  'topic analyze': `topic analyze ${topic}-FORMAT ${topic}-0 -o :end`,
  'topic find': `topic find ${topic}-FORMAT key`,
  'topic elect-leaders': `topic elect-leaders ${topic}-FORMAT ${topic}-0`,
  'topic reassign plan': `topic reassign plan ${topic}-FORMAT`,
  'topic reassign execute': 'topic reassign execute nope.json --yes',
  'topic reassign list': `topic reassign list ${topic}-FORMAT`,
  'topic reassign wait': `topic reassign wait ${topic}-FORMAT`,
  'topic reassign cancel': `topic reassign cancel ${topic}-FORMAT`,
  'topic delete': `topic delete ${topic}-FORMAT ${topic}-0`,
  diff: 'diff FORMAT.yaml',
  apply: 'apply FORMAT.yaml --yes',
  export: `export --owns ${topic}-nope`,
  import: 'import FORMAT.yaml',
  'group list': 'group list --states Dead',
  'group describe': `group describe ${topic}`,
  'group lag': `group lag ${topic}`,
  'group seek': `group seek ${topic} --to-group ${topic}-other --yes`,
  'group delete': `group delete ${topic}`,
  'group offset-delete': `group offset-delete ${topic} --topic ${topic}`,
  // Other tests on the same broker create topics.
  'cluster info': `cluster info -c -b ${topic}-0 ${topic}-1`,
  'security acl create': `security acl create --allow-principal ${topic} --operation read --topic ${topic}`,
  'security acl list': `security acl list --allow-principal ${topic}`,
  'security acl delete': `security acl delete --allow-principal ${topic} --dry-run -f`,
  'security acl explain': `security acl explain ${topic} read topic:${topic}`,
  'security user create': `security user create ${topic}-FORMAT`,
  'security user list': `security user list ${topic}-nobody`,
  'security user update': `security user update ${topic}-FORMAT --generate-password`,
  'security user delete': `security user delete ${topic}-nobody`,
  // With a control plane, the transcripts run them.
  'security secret create': 'security secret create --name X --value-stdin --scopes redpanda_cluster',
  'security secret list': 'security secret list',
  'security secret update': 'security secret update --name X --value-stdin',
  'security secret delete': 'security secret delete --name X',
  'cluster health': 'cluster health',
  'cluster restart-check': 'cluster restart-check 1 --after',
  'cluster auth login': 'cluster auth login',
  'cluster auth logout': 'cluster auth logout --all',
  'cluster auth status': 'cluster auth status',
  'cluster features': 'cluster features',
  'cluster config get': 'cluster config get node.id',
  'cluster config set': 'cluster config set message.max.bytes 1048588 --dry-run',
  'cluster loggers list': 'cluster loggers list --broker 1',
  'cluster loggers get': 'cluster loggers get root',
  'cluster loggers set': 'cluster loggers set root -l error --broker 1',
  // Other tests on the same broker change its configs, topics and quotas.
  'cluster config list': 'cluster config list --broker 1 --all',
  'cluster config force-reset': 'cluster config force-reset log_segment_size --cache-file nope.yaml',
  'cluster logdirs describe': 'cluster logdirs describe --aggregate-into broker',
  'cluster quotas describe': 'cluster quotas describe --name user=nobody',
  'cluster quotas alter': 'cluster quotas alter --name user=nobody --add request_percentage=50 --dry-run',
  'cluster quotas import': 'cluster quotas import --from nope.yaml --dry-run',
  'cluster txn list': 'cluster txn list --state Dead',
  'cluster txn describe': 'cluster txn describe nope',
  'cluster txn describe-producers': `cluster txn describe-producers -t ${topic}-FORMAT`,
  'cluster txn find-hanging': `cluster txn find-hanging -t ${topic}-FORMAT`,
  'cluster txn abort': `cluster txn abort ${topic}-FORMAT -p 0 --producer-id 7`,
  // Another test creates the topic with the logs.
  'transform logs': 'transform logs nobody --head 1 --tail 1',
  'transform init': 'transform init',
  'transform build': 'transform build',
  'shadow config generate': 'shadow config generate',
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
  top: 'top --once --interval 100ms --filter nothing-has-this-name',
  'completion powershell': 'completion powershell',
  'completion install': 'completion install fish --dry-run',
  'completion uninstall': 'completion uninstall fish --yes',
  doctor: 'doctor',
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

afterAll(async () => {
  const names = ['text', 'json', 'yaml'].map((format) => `${topic}-${format}`);
  await run(['topic', 'delete', ...names], world());
  await run(['security', 'user', 'delete', ...names], world());
  await run(['security', 'acl', 'delete', '--allow-principal', topic, '--yes'], world());
});

// In the order of the lines: a read of a topic without records would wait for some.
describe('every command', { shuffle: false }, () => {
  it('has a line here, except for those of the cloud, the registry and the Admin API, which have tests like this of their own', async () => {
    const leaves = leavesOf(await walkTree(commands)).filter(
      ({ path: [noun = ''], command }) =>
        !['cloud', 'registry'].includes(noun) && command.apis[0] !== 'admin' && !command.hidden,
    );
    expect(Object.keys(lines).sort(), 'the commands of `lines` of this file, and those that there are').toEqual(
      leaves.map(({ path }) => path.join(' ')).sort(),
    );
  });

  it.each(Object.values(lines))(
    'O2, O5: %s has the same exit code in every format, and machine output that matches its schema',
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
