/**
 * Flags of other tools (kcat, Kafka's console tools, kubectl), what to type instead, and the commands that a row applies
 * to, by path (default: all). The first row that applies counts. A flag that the command has itself is never looked up.
 */
type Habit = readonly [flags: string, meant: string, at?: RegExp];

// biome-ignore format: one row a line
const habits: readonly Habit[] = [
  ['--brokers', '--print-brokers', / cluster info$/],
  ['--brokers --bootstrap-server --bootstrap-servers -b', '--set brokers=HOST:PORT', / profile create$/],
  ['--broker', '--node N', / move-cancel$/],
  ['--bootstrap-server --bootstrap-servers --broker-list --broker -b', '-X brokers=HOST:PORT'],
  ['-t --topic --topics', '"{path} TOPIC"', /^weir topic \w/],
  ['-t --topic -C', '"weir topic consume TOPIC"', /^weir(?: topic(?: consume)?)?$/],
  ['-P', '"weir topic produce TOPIC"', /^weir(?: topic(?: produce)?)?$/],
  ['-L', '"weir cluster info"'],
  ['-G', '-g GROUP', / consume$/],
  ['-J', '--format json', / consume$/],
  ['-e', '-o :end', / consume$/],
  ['--from-beginning', '-o start', / consume$/],
  ['-c --max-messages --count', '-n N', / consume$/],
  ['--limit --max --max-results', '-n N', / topic (?:consume|search|redrive)$/],
  ['-c --count', "-f '', which prints only how many records match", / topic search$/],
  ['--since --from --after --from-timestamp --start-time', '-o @-1h or -o @2026-11-01:2026-11-02', / topic (?:consume|search|redrive)$/],
  ['--timeout-ms --timeout --exit-when-idle', '--idle DURATION', / topic consume$/],
  ['--for', '-o @-1h:end for a range of time, or --idle DURATION', / topic consume$/],
  ['--follow', '-o end, which waits for new records', / topic consume$/],
  ['--message', '--value TEXT', / topic produce$/],
  ['--principal', '--allow-principal NAME', / acl create$/],
  ['--timeout', '-X globals.command_timeout=DURATION', / (?:group lag|topic analyze)$/],
  ['--timeout', '--wait --wait-timeout DURATION', / config set$/],
  ['--batches', '-o -1000:end, the records of each partition to read', / topic analyze$/],
  ['--print-summary -s --print-topics', '--format json, which has everything', / topic analyze$/],
  ['--print-partition-batch-rate --print-partition-batch-size', '-a', / topic analyze$/],
  ['--detailed', '"weir cluster brokers list --format wide"', / cluster info$/],
  ['--include-decommissioned', '"weir cluster brokers list -d"', / cluster info$/],
  ['--ignore-profile', '--config /dev/null --broker-config /dev/null'],
  ['--from-timestamp', '--from-offset @TIME', / transform deploy$/],
  ['--last', '--tail N', / topic consume$/],
  ['--value --grep --text -q -s', '--contains TEXT', / topic search$/],
  ['--filter --query --jq', '--where EXPRESSION', / topic (?:consume|search|copy|redrive)$/],
  ['-n --num -c --max-messages --count', '-o -10:end (the last 10 offsets of each partition)', / topic copy$/],
  ['--service-account', '--allow-principal NAME', / acl (?:create|list|delete)$/],
  ['--consumer-group', '--group NAME', / acl (?:create|list|delete)$/],
  ['--value-format', '--use-schema-registry=value, or -f for a format of the whole record', / consume$/],
  ['--value-format', '--schema-id topic, which encodes with the schema of the subject', / produce$/],
  ['--property', "-f '%k:%v\\n' for keys, or --schema-id topic for schemas of the registry", / produce$/],
  ['-K --property', "-f '%k:%v\\n'", / (?:consume|produce)$/],
  ['--list --create --describe --delete', '"weir topic {flag}"', /^weir(?: topic)?$/],
  ['--shift-by', '--to +N or --to -N', / group seek$/],
  ['--to-earliest --oldest --from-beginning', '--to start', / group seek$/],
  ['--to-latest --newest', '--to end', / group seek$/],
  ['--to-current', '--to +0', / group seek$/],
  ['--to-datetime --to-timestamp', '--to 2026-11-27T09:00:00Z', / group seek$/],
  ['--by-duration', '--to -1h', / group seek$/],
  ['--from-file', '--to-file FILE', / group seek$/],
  ['--partition --partitions -p', '--topics TOPIC:0,3', / group seek$/],
  ['-t --topic', '--topics TOPIC', / group seek$/],
  ['--group -g', '"{path} GROUP"', /^weir group (?:seek|describe|lag|delete|offset-delete)$/],
  ['--all-groups', '"{path} -r \'.*\'"', /^weir group (?:seek|describe|delete)$/],
  ['--execute', '--yes', / group seek$/],
  ['--print-metadata --metadata', '--format json, which has the metadata', / registry schema (?:get|list)$/],
  ['--schema-context --skip-context-check', ':.CONTEXT:SUBJECT as the name of the subject', /^weir registry /],
  ['--help-operations', '"weir help permissions"'],
  ['--topic --group --cluster --transactional-id', 'the resource as an argument, such as topic:NAME or cluster', / acl explain$/],
  ['--context --cluster', '--profile NAME', /^weir (?!registry )/],
  ['--force', '--yes'],
  ['--watch -w', '"weir top", "weir group lag --watch" or "weir cluster health --watch"'],
  ['--producer', '--operation write,describe', / acl create$/],
  ['--consumer', '--operation read,describe --topic TOPIC --group GROUP', / acl create$/],
  ['--from-cloud --serverless-network', '"weir cloud cluster select NAME"', / profile create$/],
  ['--serverless-network', '-X registry.hosts or -X brokers with the address in the other network', / cloud cluster select$/],
  ['--upload-url', '"curl -T FILE URL" after the download', / remote-bundle download$/],
  ['--from-rpk-container', '"weir sandbox start", which makes a profile', / profile create$/],
  ['--consumer-property --producer-property', '-X KEY=VALUE'],
  ['-F --command-config --consumer.config --producer.config', '"weir profile create NAME --from FILE"'],
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
  const row = habits.find(([flags, , at]) => flags.split(' ').includes(flag) && (at === undefined || at.test(path)));
  return row?.[1].replace('{path}', path).replace('{flag}', flag.slice(2));
}

/** The flag in a word, without its value and without further letters. */
export function flagOf(word: string): string {
  return word.startsWith('--') ? (word.split('=')[0] ?? word) : word.slice(0, 2);
}

/**
 * Commands of rpk, kafkactl and Kafka's tools that have another name in weir, or are several: the command above, its words
 * there, and what to type instead.
 */
type ForeignCommand = readonly [above: string, words: string, ...hints: readonly string[]];

const onBroker = 'it is about the machine of a broker: run rpk there; weir only talks to its APIs';

// biome-ignore format: one row a line
const foreignCommands: readonly ForeignCommand[] = [
  ['weir', 'ai connect check k8s oxla sql', '"rpk {word}" comes from a plugin of rpk; weir has no such command'],
  ['weir', 'iotune tune start stop mode node', onBroker],
  ['weir redpanda', 'check config mode start stop tune', onBroker],
  ['weir topic', 'tail', 'the last records: weir topic consume TOPIC --tail 10', 'new ones as they come: weir topic consume TOPIC -o end'],
  ['weir debug', 'bundle', 'collect a bundle on every broker with: weir debug remote-bundle start', 'write a report about this machine with: weir doctor --report FILE'],
  ['weir config', 'use-context use-cluster select-cluster', 'select a profile with: weir profile use NAME'],
  ['weir group', 'reset-offsets', 'move committed offsets with: weir group seek GROUP --to start'],
  ['weir group', 'delete-offsets', 'delete committed offsets with: weir group offset-delete GROUP --topic TOPIC'],
  ['weir topic', 'truncate purge empty delete-records', 'delete the records before an offset with: weir topic trim-prefix TOPIC -o end'],
  ['weir topic', 'size', 'see sizes on disk with: weir topic describe TOPIC -z'],
  ['weir topic', 'count offsets watermark watermarks', 'see the first and the next offsets with: weir topic describe TOPIC -p'],
  ['weir', 'quota quotas', 'see quotas with: weir cluster quotas describe'],
  ['weir cloud', 'rg', 'see resource groups with: weir cloud resource-group list'],
  ['weir', 'status', 'see the state of the cluster with: weir cluster health'],
  ['weir', 'plugin', 'weir has no plugins, except the one of: weir cloud byoc'],
  ['weir cloud', 'mcp', 'weir has no MCP server; programs read: weir help --json'],
  ['weir cluster quotas', 'delete', 'remove a quota with: weir cluster quotas alter --delete KEY --name TYPE=NAME'],
  ['weir cluster', 'offsets', 'see committed offsets and lag with: weir group describe GROUP'],
  ['weir registry context', 'delete', 'weir only lists contexts: weir registry context list'],
  ['weir generate', 'app', 'weir creates no applications; try a cluster with: weir topic produce TOPIC --generate'],
  ['weir generate', 'grafana-dashboard grafana-dashboards', 'the dashboards of Redpanda are at https://github.com/redpanda-data/observability'],
  ['weir generate', 'license', 'get a trial license at https://redpanda.com/try-enterprise', 'load it with: weir cluster license set --file FILE'],
  ['weir generate', 'prometheus-config', 'let Prometheus scrape http://BROKER:9644/public_metrics of each broker of: weir cluster info -b'],
  ['weir', 'generate', 'print a completion script with: weir completion bash|zsh|fish|powershell', 'weir generates no dashboards, configurations or applications'],
  ['weir', 'container', 'run brokers on this machine with: weir sandbox start'],
  ['weir profile', 'set-globals', 'set options of a profile with: weir profile set KEY=VALUE'],
  ['weir profile', 'edit-globals', 'edit the options of a profile with: weir profile edit'],
  ['weir profile', 'print-globals', 'print the options of a profile with: weir profile print'],
  ['weir', 'get list', 'the noun comes first, as in: weir topic list'],
  ['weir', 'describe', 'the noun comes first, as in: weir topic describe NAME'],
  ['weir', 'create', 'the noun comes first, as in: weir topic create NAME'],
  ['weir', 'alter', 'the noun comes first, as in: weir topic alter-config NAME'],
  ['weir', 'delete', 'the noun comes first, as in: weir topic delete NAME'],
  ['weir', 'consumer-group consumer-groups', 'see the groups with: weir group list'],
  ['weir config', 'set', 'set options of a profile with: weir profile set KEY=VALUE'],
  ['weir topic', 'config', 'show the configs of a topic with: weir topic describe TOPIC -c', 'change them with: weir topic alter-config'],
  ['weir security user', 'describe', 'see the mechanisms of users with: weir security user list --format wide'],
  ['weir registry', 'list', 'list the schemas with: weir registry schema list'],
  ['weir', 'login', 'log in to the control plane with: weir cloud login', 'to a cluster, with OAuth: weir cluster auth login'],
  ['weir', 'logout', 'remove the token with: weir cloud logout', 'that of a cluster: weir cluster auth logout'],
  ['weir cluster', 'login', 'sign in with OAuth: weir cluster auth login'],
  ['weir cluster', 'logout', 'remove the token that is kept: weir cluster auth logout'],
  ['weir cloud auth', 'login', 'log in with: weir cloud login'],
  ['weir cloud auth', 'logout', 'log out with: weir cloud logout'],
  ['weir cloud auth', 'status', 'see the logins with: weir cloud auth list'],
  ['weir cloud', 'whoami', 'see the logins with: weir cloud auth list'],
];

/** What to type instead of an unknown command that another tool has; none for other words. @param above for example `weir topic` */
export function foreignHints(above: string, word: string): readonly string[] {
  const [, , ...hints] = foreignCommands.find(([one, words]) => one === above && words.split(' ').includes(word)) ?? [];
  return hints.map((hint) => hint.replace('{word}', word));
}

/** Names that other programs have for verbs, with the verbs that they may mean here. */
// biome-ignore format: one row a line
const usualVerbs: readonly (readonly [words: string, verbs: readonly string[]])[] = [
  ['rm remove destroy', ['delete', 'purge']],
  ['del', ['delete']],
  ['new add make register', ['create']],
  ['check test', ['check-compatibility']],
  ['compatibility', ['compatibility-level']],
  ['versions ls', ['list']],
  ['reset', ['seek']],
  ['show', ['describe', 'get', 'print', 'status', 'info', 'show']],
  ['get', ['describe', 'print', 'show', 'get']],
  ['cat', ['consume', 'print']],
  ['read', ['consume']],
  ['grep filter', ['search']],
  ['clone mirror', ['copy']],
  ['replay reprocess retry', ['redrive']],
  ['tail', ['logs']],
  ['write send', ['produce']],
  ['switch', ['use', 'select']],
  ['select', ['use']],
  ['rename', ['rename-to']],
  ['up', ['start']],
  ['down', ['stop']],
];

/** The verbs that a word of other programs may mean. */
export function usualVerbsOf(word: string): readonly string[] {
  return usualVerbs.find(([words]) => words.split(' ').includes(word))?.[1] ?? [];
}
