/** Flags of other tools (kcat, Kafka's console tools, kubectl), and what to type instead. */
interface Habit {
  readonly flags: readonly string[];
  /** The commands that the row applies to, by path without flags; all of them by default. */
  readonly at?: RegExp;
  readonly meant: string | ((path: string, flag: string) => string);
}

/** The first row that applies counts. A flag that the command has itself is never looked up. */
const habits: readonly Habit[] = [
  { flags: ['--brokers'], at: / cluster info$/, meant: '--print-brokers' },
  {
    flags: ['--brokers', '--bootstrap-server', '--bootstrap-servers', '-b'],
    at: / profile create$/,
    meant: '--set brokers=HOST:PORT',
  },
  { flags: ['--broker'], at: / move-cancel$/, meant: '--node N' },
  {
    flags: ['--bootstrap-server', '--bootstrap-servers', '--broker-list', '--broker', '-b'],
    meant: '-X brokers=HOST:PORT',
  },
  { flags: ['-t', '--topic', '--topics'], at: /^weir topic \w/, meant: (path) => `"${path} TOPIC"` },
  { flags: ['-t', '--topic', '-C'], at: /^weir(?: topic(?: consume)?)?$/, meant: '"weir topic consume TOPIC"' },
  { flags: ['-P'], at: /^weir(?: topic(?: produce)?)?$/, meant: '"weir topic produce TOPIC"' },
  { flags: ['-L'], meant: '"weir cluster info"' },
  { flags: ['-G'], at: / consume$/, meant: '-g GROUP' },
  { flags: ['-J'], at: / consume$/, meant: '--format json' },
  { flags: ['-e'], at: / consume$/, meant: '-o :end' },
  { flags: ['--from-beginning'], at: / consume$/, meant: '-o start' },
  { flags: ['-c', '--max-messages', '--count'], at: / consume$/, meant: '-n N' },
  { flags: ['--limit', '--max', '--max-results'], at: / topic (?:consume|search|redrive)$/, meant: '-n N' },
  { flags: ['-c', '--count'], at: / topic search$/, meant: "-f '', which prints only how many records match" },
  {
    flags: ['--since', '--from', '--after', '--from-timestamp', '--start-time'],
    at: / topic (?:consume|search|redrive)$/,
    meant: '-o @-1h or -o @2026-11-01:2026-11-02',
  },
  { flags: ['--timeout-ms', '--timeout', '--exit-when-idle'], at: / topic consume$/, meant: '--idle DURATION' },
  { flags: ['--for'], at: / topic consume$/, meant: '-o @-1h:end for a range of time, or --idle DURATION' },
  { flags: ['--follow'], at: / topic consume$/, meant: '-o end, which waits for new records' },
  { flags: ['--message'], at: / topic produce$/, meant: '--value TEXT' },
  { flags: ['--principal'], at: / acl create$/, meant: '--allow-principal NAME' },
  { flags: ['--timeout'], at: / group lag$/, meant: '-X globals.command_timeout=DURATION' },
  { flags: ['--last'], at: / topic consume$/, meant: '--tail N' },
  { flags: ['--value', '--grep', '--text', '-q', '-s'], at: / topic search$/, meant: '--contains TEXT' },
  {
    flags: ['--filter', '--query', '--jq'],
    at: / topic (?:consume|search|copy|redrive)$/,
    meant: '--where EXPRESSION',
  },
  {
    flags: ['-n', '--num', '-c', '--max-messages', '--count'],
    at: / topic copy$/,
    meant: '-o -10:end (the last 10 offsets of each partition)',
  },
  { flags: ['-K', '--property'], at: / (?:consume|produce)$/, meant: "-f '%k:%v\\n'" },
  {
    flags: ['--list', '--create', '--describe', '--delete'],
    at: /^weir(?: topic)?$/,
    meant: (_, flag) => `"weir topic ${flag.slice(2)}"`,
  },
  { flags: ['--shift-by'], at: / group seek$/, meant: '--to +N or --to -N' },
  { flags: ['--to-earliest', '--oldest', '--from-beginning'], at: / group seek$/, meant: '--to start' },
  { flags: ['--to-latest', '--newest'], at: / group seek$/, meant: '--to end' },
  { flags: ['--to-current'], at: / group seek$/, meant: '--to +0' },
  { flags: ['--to-datetime', '--to-timestamp'], at: / group seek$/, meant: '--to 2026-11-27T09:00:00Z' },
  { flags: ['--by-duration'], at: / group seek$/, meant: '--to -1h' },
  { flags: ['--from-file'], at: / group seek$/, meant: '--to-file FILE' },
  { flags: ['--partition', '--partitions', '-p'], at: / group seek$/, meant: '--topics TOPIC:0,3' },
  { flags: ['-t', '--topic'], at: / group seek$/, meant: '--topics TOPIC' },
  {
    flags: ['--group', '-g'],
    at: /^weir group (?:seek|describe|lag|delete|offset-delete)$/,
    meant: (path) => `"${path} GROUP"`,
  },
  { flags: ['--all-groups'], at: /^weir group (?:seek|describe|delete)$/, meant: (path) => `"${path} -r '.*'"` },
  { flags: ['--execute'], at: / group seek$/, meant: '--yes' },
  {
    flags: ['--print-metadata', '--metadata'],
    at: / registry schema (?:get|list)$/,
    meant: '--format json, which has the metadata',
  },
  {
    flags: ['--schema-context', '--skip-context-check'],
    at: /^weir registry /,
    meant: ':.CONTEXT:SUBJECT as the name of the subject',
  },
  { flags: ['--help-operations'], meant: '"weir help permissions"' },
  { flags: ['--context', '--cluster'], at: /^weir (?!registry )/, meant: '--profile NAME' },
  { flags: ['--force'], meant: '--yes' },
  { flags: ['--watch', '-w'], meant: '"weir top", "weir group lag --watch" or "weir cluster health --watch"' },
  { flags: ['--producer'], at: / acl create$/, meant: '--operation write,describe' },
  { flags: ['--consumer'], at: / acl create$/, meant: '--operation read,describe --topic TOPIC --group GROUP' },
  { flags: ['--timeout-ms'], at: / consume$/, meant: '--idle DURATION' },
  { flags: ['--from-cloud'], at: / profile create$/, meant: '"weir cloud cluster select NAME"' },
  { flags: ['--consumer-property', '--producer-property'], meant: '-X KEY=VALUE' },
  {
    flags: ['-F', '--command-config', '--consumer.config', '--producer.config'],
    meant: '"weir profile create NAME --from FILE"',
  },
];

/**
 * What to type instead of a flag that another tool has; undefined if there is nothing.
 * @param word the word as typed, with its value if that is attached
 * @param path the command, for example `weir topic consume`
 */
export function habitOf(word: string, path: string): string | undefined {
  const [, format] = /^--(json|yaml|wide|text)$/.exec(word) ?? [];
  if (format !== undefined) return `--format ${format}`;
  const flag = flagOf(word);
  const row = habits.find(({ flags, at }) => flags.includes(flag) && (at === undefined || at.test(path)));
  return typeof row?.meant === 'function' ? row.meant(path, flag) : row?.meant;
}

const groupHint = 'see the groups with: weir group list';

const onBroker = ['it is about the machine of a broker: run rpk there; weir only talks to its APIs'];

/** Commands of rpk, kafkactl and Kafka's tools that have another name in weir, or are several; each with what to type instead. */
const foreign: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'weir topic tail',
    ['the last records: weir topic consume TOPIC --tail 10', 'new ones as they come: weir topic consume TOPIC -o end'],
  ],
  [
    'weir debug bundle',
    [
      'collect a bundle on every broker with: weir debug remote-bundle start',
      'write a report about this machine with: weir doctor --report FILE',
    ],
  ],
  ...(['ai', 'connect', 'check', 'k8s', 'oxla', 'sql'] as const).map((name): [string, readonly string[]] => {
    return [`weir ${name}`, [`"rpk ${name}" comes from a plugin of rpk; weir has no such command`]];
  }),
  ...['iotune', 'tune', 'start', 'stop', 'mode'].map((name): [string, readonly string[]] => [`weir ${name}`, onBroker]),
  ...['check', 'config', 'mode', 'start', 'stop', 'tune'].map((name): [string, readonly string[]] => {
    return [`weir redpanda ${name}`, onBroker];
  }),
  ...['use-context', 'use-cluster', 'select-cluster'].map((name): [string, readonly string[]] => {
    return [`weir config ${name}`, ['select a profile with: weir profile use NAME']];
  }),
  ['weir group reset-offsets', ['move committed offsets with: weir group seek GROUP --to start']],
  ['weir group delete-offsets', ['delete committed offsets with: weir group offset-delete GROUP --topic TOPIC']],
  ...['truncate', 'purge', 'empty', 'delete-records'].map((name): [string, readonly string[]] => {
    return [`weir topic ${name}`, ['delete the records before an offset with: weir topic trim-prefix TOPIC -o end']];
  }),
  ['weir topic size', ['see sizes on disk with: weir topic describe TOPIC -z']],
  ...['count', 'offsets', 'watermark', 'watermarks'].map((name): [string, readonly string[]] => {
    return [`weir topic ${name}`, ['see the first and the next offsets with: weir topic describe TOPIC -p']];
  }),
  ...['quota', 'quotas'].map((name): [string, readonly string[]] => {
    return [`weir ${name}`, ['see quotas with: weir cluster quotas describe']];
  }),
  ['weir cloud rg', ['see resource groups with: weir cloud resource-group list']],
  ['weir status', ['see the state of the cluster with: weir cluster health']],
  ['weir plugin', ['weir has no plugins, except the one of: weir cloud byoc']],
  ['weir shadow', ['weir has no command for shadow links; rpk has them']],
  ['weir cloud mcp', ['weir has no MCP server; programs read: weir help --json']],
  ['weir cluster connections', ['weir has no command for connections; rpk lists them']],
  [
    'weir cluster loggers',
    [
      'list the loggers of a node with: weir redpanda admin config log-level list',
      'set the level of one with: weir redpanda admin config log-level set',
    ],
  ],
  ['weir cluster upgrade', ['weir finalizes no upgrades; see the versions of brokers with: weir cluster brokers list']],
  ['weir cluster offsets', ['see committed offsets and lag with: weir group describe GROUP']],
  ['weir security secret', ['weir has no command for secrets of the cluster; rpk has one']],
  ['weir registry context delete', ['weir only lists contexts: weir registry context list']],
  [
    'weir generate',
    [
      'print a completion script with: weir completion bash|zsh|fish|powershell',
      'weir generates no dashboards, configurations or applications',
    ],
  ],
  ['weir container', ['run brokers on this machine with: weir sandbox start']],
  ['weir profile set-globals', ['set options of a profile with: weir profile set KEY=VALUE']],
  ['weir profile edit-globals', ['edit the options of a profile with: weir profile edit']],
  ['weir profile print-globals', ['print the options of a profile with: weir profile print']],
  ['weir get', ['the noun comes first, as in: weir topic list']],
  ['weir list', ['the noun comes first, as in: weir topic list']],
  ['weir describe', ['the noun comes first, as in: weir topic describe NAME']],
  ['weir create', ['the noun comes first, as in: weir topic create NAME']],
  ['weir alter', ['the noun comes first, as in: weir topic alter-config NAME']],
  ['weir delete', ['the noun comes first, as in: weir topic delete NAME']],
  ['weir consumer-group', [groupHint]],
  ['weir consumer-groups', [groupHint]],
  ['weir config set', ['set options of a profile with: weir profile set KEY=VALUE']],
  [
    'weir topic config',
    ['show the configs of a topic with: weir topic describe TOPIC -c', 'change them with: weir topic alter-config'],
  ],
  ['weir security user describe', ['see the mechanisms of users with: weir security user list --format wide']],
  ['weir registry list', ['list the schemas with: weir registry schema list']],
  [
    'weir login',
    ['log in to the control plane with: weir cloud login', 'to a cluster, with OAuth: weir cluster auth login'],
  ],
  ['weir logout', ['remove the token with: weir cloud logout', 'that of a cluster: weir cluster auth logout']],
  ['weir cluster login', ['sign in with OAuth: weir cluster auth login']],
  ['weir cluster logout', ['remove the token that is kept: weir cluster auth logout']],
  ['weir cloud auth login', ['log in with: weir cloud login']],
  ['weir cloud auth logout', ['log out with: weir cloud logout']],
  ['weir cloud auth status', ['see the logins with: weir cloud auth list']],
  ['weir cloud whoami', ['see the logins with: weir cloud auth list']],
]);

/** What to type instead of an unknown command that rpk has; none for other words. @param line for example `weir container` */
export function foreignHints(line: string): readonly string[] {
  return foreign.get(line) ?? [];
}

/** The flag in a word, without its value and without further letters. */
export function flagOf(word: string): string {
  return word.startsWith('--') ? (word.split('=')[0] ?? word) : word.slice(0, 2);
}
