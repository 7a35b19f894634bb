import { blocks, columnsOf, pipedWidth, prose } from './help.ts';
import type { OtherTool } from './subject-names.ts';

/** What is typed in another program and in weir, as Markdown. */
interface Equivalents {
  /** The titles of the columns. */
  readonly columns: readonly string[];
  /** The last cell of a row is the line of weir; the one before it is that of the other program. */
  readonly rows: readonly (readonly string[])[];
}

/** The tables of the guide for people who come from other programs, which `weir help` prints, too. */
// biome-ignore format: one row a line
export const equivalents: Readonly<Record<OtherTool, Equivalents>> = {
  rpk: {
    columns: ['rpk', 'weir'],
    rows: [
      ['`RPK_BROKERS`, `RPK_TLS_ENABLED`, …', '`WEIR_BROKERS`, `WEIR_TLS_ENABLED`, …'],
      ['`rpk.yaml`', '`weir.yaml`, with the keys of `-X`'],
      ['`rpk profile set-globals`', '`profile set`, in each profile'],
      ['`rpk redpanda admin brokers list`', '`weir cluster brokers list` (the old spelling works, too)'],
      ['`rpk cluster offsets`', '`weir group describe billing`'],
      ['`rpk container start`, `stop`, `purge`', '`weir sandbox start`, `stop`, `purge`'],
      ['`rpk generate shell-completion bash`', '`weir completion bash`'],
      ['`rpk debug bundle`', '`weir debug remote-bundle start`'],
      ['`rpk topic describe-storage`', 'the same, over the Admin API alone'],
    ],
  },
  kcat: {
    columns: ['to', 'kcat', 'weir'],
    rows: [
      ['see brokers and topics', '`kcat -L`', '`weir cluster info -b -d`'],
      ['see one topic', '`kcat -L -t orders`', '`weir topic describe orders -p`'],
      ['get that as JSON', '`kcat -L -J`', '`weir cluster info -b -d --format json`'],
      ['write lines', '`kcat -P -t orders < lines.txt`', '`weir topic produce orders < lines.txt`'],
      ['with keys', '`kcat -P -t orders -K: < pairs.txt`', "`weir topic produce orders -f '%k:%v\\n' < pairs.txt`"],
      ['with one key and a header', '`kcat -P -t orders -k ana -H source=shop < lines.txt`', '`weir topic produce orders -k ana -H source=shop < lines.txt`'],
      ['to a partition, compressed', '`kcat -P -t orders -p 1 -z lz4 < lines.txt`', '`weir topic produce orders -p 1 -z lz4 < lines.txt`'],
      ['with tombstones', '`kcat -P -t orders -K: -Z < pairs.txt`', "`weir topic produce orders -f '%k:%v\\n' -Z < pairs.txt`"],
      ['print values, then new ones', '`kcat -C -t orders`', "`weir topic consume orders -f '%v\\n'`"],
      ['stop at the end', '`kcat -C -t orders -e`', "`weir topic consume orders -o :end -f '%v\\n'`"],
      ['only new ones', '`kcat -C -t orders -o end`', "`weir topic consume orders -o end -f '%v\\n'`"],
      ['the last 5 of each partition', '`kcat -C -t orders -o -5 -e`', "`weir topic consume orders -o -5:end -f '%v\\n'`"],
      ['one record', '`kcat -C -t orders -p 0 -o 1 -c 1`', "`weir topic consume orders -p 0 -o 1 -n 1 -f '%v\\n'`"],
      ['what was written in an interval', '`kcat -C -t orders -o s@1700000000000 -o e@1800000000000`', "`weir topic consume orders -o @1700000000000:1800000000000 -f '%v\\n'`"],
      ['choose what to print', "`kcat -C -t orders -e -f '%t [%p] %o: %k=%s\\n'`", "`weir topic consume orders -o :end -f '%t [%p] %o: %k=%v\\n'`"],
      ['print JSON', '`kcat -C -t orders -e -J`', '`weir topic consume orders -o :end`'],
      ['read as a group', '`kcat -G billing orders`', "`weir topic consume orders -g billing -o end -f '%v\\n'`"],
      ['decode Avro', '`kcat -C -t orders -s value=avro -r http://registry:8081`', '`weir topic consume orders --use-schema-registry=value -X registry.hosts=http://registry:8081`'],
      ['find the offset of a time', '`kcat -Q -t orders:0:1700000000000`', "`weir topic consume orders -p 0 -o @1700000000000 -n 1 -f '%o\\n'`"],
    ],
  },
  confluent: {
    columns: ['Confluent', 'weir'],
    rows: [
      ['`confluent login`, `confluent kafka cluster use lkc-1`', 'a profile with the address of the cluster and an API key: `weir profile create cloud --set brokers=HOST:9092`'],
      ['`confluent kafka topic list`', '`weir topic list`'],
      ['`confluent kafka topic create orders --partitions 3 --config cleanup.policy=compact`', '`weir topic create orders -p 3 -c cleanup.policy=compact --if-not-exists`'],
      ['`confluent kafka topic describe orders`', '`weir topic describe orders`'],
      ['`confluent kafka topic configuration list orders`', '`weir topic describe orders -c`'],
      ['`confluent kafka topic update orders --config retention.ms=259200000`', '`weir topic alter-config orders --set retention.ms=259200000`'],
      ['`confluent kafka topic produce orders < lines.txt`', '`weir topic produce orders < lines.txt`'],
      ['`confluent kafka topic produce orders --parse-key < pairs.txt`', "`weir topic produce orders -f '%k:%v\\n' < pairs.txt`"],
      ['`confluent kafka topic produce orders --value-format avro --schema order.avsc`', '`weir registry schema create orders-value --schema order.avsc`, then `weir topic produce orders --schema-id topic`'],
      ['`confluent kafka topic consume orders`', "`weir topic consume orders -o end -f '%v\\n'`"],
      ['`confluent kafka topic consume orders --from-beginning --print-key`', "`weir topic consume orders -f '%k\\t%v\\n'`"],
      ['`confluent kafka topic consume orders --from-beginning`', "`weir topic consume orders -f '%v\\n'`"],
      ['`confluent kafka topic consume orders --partition 0 --offset 1`', "`weir topic consume orders -p 0 -o 1 -f '%v\\n'`"],
      ['`confluent kafka topic consume orders --group billing`', "`weir topic consume orders -g billing -o end -f '%v\\n'`"],
      ['`confluent kafka topic consume orders --value-format avro`', "`weir topic consume orders -o end --use-schema-registry=value -f '%v\\n'`"],
      ['`confluent kafka consumer group list`', '`weir group list`'],
      ['`confluent kafka consumer group lag summarize billing`', '`weir group lag billing`'],
      ['`confluent kafka consumer group lag list billing`', '`weir group describe billing`'],
      ['`confluent kafka acl create --allow --service-account sa-1 --operations read --topic orders`', '`weir security acl create --allow-principal sa-1 --operation read --topic orders`'],
      ['`confluent kafka acl create --allow --service-account sa-1 --operations read --consumer-group billing`', '`weir security acl create --allow-principal sa-1 --operation read --group billing`'],
      ['`confluent kafka acl list`', '`weir security acl list`'],
      ['`confluent schema-registry subject list`', '`weir registry subject list`'],
      ['`confluent schema-registry schema create --subject orders-value --schema order.avsc --type avro`', '`weir registry schema create orders-value --schema order.avsc`'],
      ['`confluent schema-registry schema describe --subject orders-value --version latest`', '`weir registry schema get orders-value --print-schema`'],
      ['`confluent kafka topic delete orders`', '`weir topic delete orders`'],
      ['`kafka-avro-console-producer --topic orders --property value.schema="$(cat order.avsc)"`', '`weir registry schema create orders-value --schema order.avsc`, then `weir topic produce orders --schema-id topic`'],
      ['`kafka-avro-console-producer … --property value.schema.id=7`', '`weir topic produce orders --schema-id 7`'],
      ['`kafka-avro-console-consumer --topic orders --from-beginning`', "`weir topic consume orders --use-schema-registry -f '%v\\n'`, which decodes keys as well"],
      ['`kafka-protobuf-console-consumer`, `kafka-json-schema-console-consumer`', 'the same: the schema id of each record says what it is'],
    ],
  },
  'kafka-scripts': {
    columns: ['script', 'weir'],
    rows: [
      ['`kafka-topics.sh --list`', '`weir topic list`'],
      ['`kafka-topics.sh --create --topic orders --partitions 3 --replication-factor 1 --if-not-exists`', '`weir topic create orders -p 3 -r 1 --if-not-exists`'],
      ['`kafka-topics.sh --describe --topic orders`', '`weir topic describe orders -p`'],
      ['`kafka-topics.sh --describe --under-replicated-partitions`', '`weir cluster health`'],
      ['`kafka-topics.sh --alter --topic orders --partitions 6`', '`weir topic add-partitions orders --to 6`'],
      ['`kafka-configs.sh --describe --entity-type topics --entity-name orders`', '`weir topic describe orders -c`'],
      ['`kafka-configs.sh --alter --entity-type topics --entity-name orders --add-config retention.ms=3600000`', '`weir topic alter-config orders --set retention.ms=3600000`'],
      ['`kafka-configs.sh --alter --entity-type topics --entity-name orders --delete-config retention.ms`', '`weir topic alter-config orders --delete retention.ms`'],
      ['`kafka-configs.sh --describe --entity-type brokers --entity-name 1`', '`weir cluster config list --broker 1`'],
      ['`kafka-configs.sh --alter --entity-type brokers --entity-default --add-config log.retention.ms=86400000`', '`weir cluster config set log.retention.ms 86400000 --dry-run`'],
      ['`kafka-configs.sh --alter --entity-type clients --entity-name shop --add-config producer_byte_rate=1000000`', '`weir cluster quotas alter --name client-id=shop --add producer_byte_rate=1MB --dry-run`'],
      ["`kafka-configs.sh --alter --entity-type users --entity-name ana --add-config 'SCRAM-SHA-256=[password=secret]'`", '`weir security user create ana --password-file password.txt`'],
      ['`kafka-configs.sh --describe --entity-type users`', '`weir security user list`'],
      ['`kafka-console-producer.sh --topic orders < lines.txt`', '`weir topic produce orders < lines.txt`'],
      ['`kafka-console-producer.sh --topic orders --property parse.key=true --property key.separator=: < pairs.txt`', "`weir topic produce orders -f '%k:%v\\n' < pairs.txt`"],
      ['`kafka-console-consumer.sh --topic orders --from-beginning`', "`weir topic consume orders -f '%v\\n'`"],
      ['`kafka-console-consumer.sh --topic orders`', "`weir topic consume orders -o end -f '%v\\n'`"],
      ['`kafka-console-consumer.sh --topic orders --from-beginning --max-messages 2 --property print.key=true`', "`weir topic consume orders -n 2 -f '%k\\t%v\\n'`"],
      ['`kafka-console-consumer.sh --topic orders --group billing`', "`weir topic consume orders -g billing -o end -f '%v\\n'`"],
      ['`kafka-consumer-groups.sh --list`', '`weir group list`'],
      ['`kafka-consumer-groups.sh --describe --group billing`', '`weir group describe billing`'],
      ['`kafka-consumer-groups.sh --describe --group billing --members --verbose`', '`weir group describe billing -m`'],
      ['`kafka-consumer-groups.sh --reset-offsets --group billing --topic orders --to-earliest --dry-run`', '`weir group seek billing --topics orders --to start --dry-run`'],
      ['`kafka-consumer-groups.sh --reset-offsets --group billing --topic orders --to-earliest --execute`', '`weir group seek billing --topics orders --to start`'],
      ['`kafka-consumer-groups.sh --reset-offsets --group billing --topic orders --by-duration PT1H --execute`', '`weir group seek billing --topics orders --to -1h`'],
      ['`kafka-consumer-groups.sh --reset-offsets --group billing --topic orders:0 --shift-by 1 --execute`', '`weir group seek billing --topics orders:0 --to +1`'],
      ['`kafka-consumer-groups.sh --reset-offsets --group billing --topic orders:0 --to-offset 1 --execute`', '`weir group seek billing --topics orders:0 --to 1`'],
      ['`kafka-consumer-groups.sh --delete-offsets --group billing --topic orders`', '`weir group offset-delete billing --topic orders`'],
      ['`kafka-consumer-groups.sh --delete --group billing`', '`weir group delete billing`'],
      ['`kafka-get-offsets.sh --topic orders`', '`weir topic describe orders -p`'],
      ['`kafka-delete-records.sh --offset-json-file offsets.json`', '`weir topic trim-prefix orders -p 0 -o 1 --yes`'],
      ['`kafka-acls.sh --add --allow-principal User:ana --operation Read --topic orders`', '`weir security acl create --allow-principal ana --operation read --topic orders`'],
      ['`kafka-acls.sh --list --topic orders`', '`weir security acl list --topic orders`'],
      ['`kafka-acls.sh --remove --allow-principal User:ana --topic orders --force`', '`weir security acl delete --allow-principal ana --topic orders --yes`'],
      ['`kafka-reassign-partitions.sh --generate --topics-to-move-json-file topics.json --broker-list 1,2`', '`weir topic reassign plan orders --brokers 1`'],
      ['`kafka-leader-election.sh --election-type preferred --all-topic-partitions`', '`weir topic elect-leaders --dry-run`'],
      ['`kafka-log-dirs.sh --describe --topic-list orders`', '`weir cluster logdirs describe --topics orders`'],
      ['`kafka-transactions.sh list`', '`weir cluster txn list`'],
      ['`kafka-transactions.sh find-hanging --broker-id 1`', '`weir cluster txn find-hanging`'],
      ['`kafka-features.sh describe`', '`weir cluster features`'],
      ['`kafka-topics.sh --delete --topic orders`', '`weir topic delete orders`'],
    ],
  },
  kaf: {
    columns: ['kaf', 'weir'],
    rows: [
      ['`kaf config add-cluster prod -b b1.example:9092`', '`weir profile create prod --set brokers=b1.example:9092`'],
      ['`kaf config use-cluster prod`', '`weir profile use prod`'],
      ['`kaf config get-clusters`', '`weir profile list`'],
      ['`kaf nodes`', '`weir cluster info -b`'],
      ['`kaf topics`', '`weir topic list`'],
      ['`kaf topic create orders -p 3 -r 1`', '`weir topic create orders -p 3 -r 1 --if-not-exists`'],
      ['`kaf topic create orders --compact`', '`weir topic create orders -c cleanup.policy=compact --if-not-exists`'],
      ['`kaf topic describe orders`', '`weir topic describe orders -a`'],
      ['`kaf topic add-config orders retention.ms 3600000`', '`weir topic alter-config orders --set retention.ms=3600000`'],
      ['`kaf topic rm-config orders retention.ms`', '`weir topic alter-config orders --delete retention.ms`'],
      ['`kaf topic update orders -p 6`', '`weir topic add-partitions orders --to 6`'],
      ['`kaf produce orders < lines.txt`', '`weir topic produce orders < lines.txt`'],
      ['`kaf produce orders -k ana -H source:shop < lines.txt`', '`weir topic produce orders -k ana -H source=shop < lines.txt`'],
      ['`kaf consume orders --output raw`', "`weir topic consume orders -o :end -f '%v\\n'`"],
      ['`kaf consume orders -f --offset newest --output raw`', "`weir topic consume orders -o end -f '%v\\n'`"],
      ['`kaf consume orders -n 5 --output raw`', "`weir topic consume orders -o -5:end -f '%v\\n'`"],
      ['`kaf consume orders --output json-each-row`', '`weir topic consume orders -o :end`'],
      ['`kaf consume orders -g billing -f --commit`', '`weir topic consume orders -g billing`'],
      ['`kaf groups`', '`weir group list`'],
      ['`kaf group describe billing`', '`weir group describe billing`'],
      ['`kaf group commit billing -t orders --all-partitions -o oldest`', '`weir group seek billing --topics orders --to start`'],
      ['`kaf group delete-offsets billing -t orders --all-partitions`', '`weir group offset-delete billing --topic orders`'],
      ['`kaf group delete billing`', '`weir group delete billing`'],
      ['`kaf topic delete orders`', '`weir topic delete orders`'],
    ],
  },
  kafkactl: {
    columns: ['kafkactl', 'weir'],
    rows: [
      ['`kafkactl config use-context prod`', '`weir profile use prod`'],
      ['`kafkactl config get-contexts`', '`weir profile list`'],
      ['`kafkactl get topics`', '`weir topic list`'],
      ['`kafkactl create topic orders -p 3 -r 1 -c cleanup.policy=compact`', '`weir topic create orders -p 3 -r 1 -c cleanup.policy=compact --if-not-exists`'],
      ['`kafkactl create topic orders --validate-only`', '`weir topic create orders --dry-run --if-not-exists`'],
      ['`kafkactl describe topic orders --all-configs`', '`weir topic describe orders -a`'],
      ['`kafkactl alter topic orders -c retention.ms=3600000`', '`weir topic alter-config orders --set retention.ms=3600000`'],
      ['`kafkactl alter topic orders -p 6`', '`weir topic add-partitions orders --to 6`'],
      ['`kafkactl alter topic orders -r 1`', '`weir topic reassign plan orders --replicas 1`, then `topic reassign execute`'],
      ['`kafkactl produce orders --key=ana --value=espresso`', '`weir topic produce orders -k ana --value espresso`'],
      ['`kafkactl produce orders --separator=: --file=pairs.txt`', "`weir topic produce orders -f '%k:%v\\n' < pairs.txt`"],
      ['`kafkactl produce orders --key=ana --null-value`', '`echo | weir topic produce orders -k ana -Z`'],
      ['`kafkactl consume orders`', "`weir topic consume orders -o end -f '%v\\n'`"],
      ['`kafkactl consume orders --from-beginning --exit`', "`weir topic consume orders -o :end -f '%v\\n'`"],
      ['`kafkactl consume orders --tail 5`', "`weir topic consume orders --tail 5 -f '%v\\n'`"],
      ['`kafkactl consume orders --from-beginning --print-keys --exit`', "`weir topic consume orders -o :end -f '%k#%v\\n'`"],
      ['`kafkactl consume orders --from-beginning --exit -o json`', '`weir topic consume orders -o :end --format json`'],
      ['`kafkactl get consumer-groups`', '`weir group list`'],
      ['`kafkactl describe consumer-group billing --only-with-lag`', '`weir group describe billing`'],
      ['`kafkactl reset offset billing --topic orders --oldest`', '`weir group seek billing --topics orders --to start --dry-run`'],
      ['`kafkactl reset offset billing --topic orders --oldest --execute`', '`weir group seek billing --topics orders --to start`'],
      ['`kafkactl delete consumer-group billing`', '`weir group delete billing`'],
      ['`kafkactl delete records orders --offset 0=1`', '`weir topic trim-prefix orders -p 0 -o 1 --yes`'],
      ['`kafkactl get brokers`', '`weir cluster info -b`'],
      ['`kafkactl describe broker 1`', '`weir cluster config list --broker 1`'],
      ['`kafkactl get acl`', '`weir security acl list`'],
      ['`kafkactl create acl --topic orders --operation read --principal User:ana --allow`', '`weir security acl create --topic orders --operation read --allow-principal ana`'],
      ['`kafkactl create user ana --password secret`', '`weir security user create ana --password-file password.txt`'],
      ['`kafkactl clone topic orders orders-copy`', '`weir topic copy orders orders-copy --create -o end`: without `-o end`, the records too'],
      ['`kafkactl delete topic orders`', '`weir topic delete orders`'],
    ],
  },
};

/** `weir help kcat`: each line of the other program as a comment, and below it that of weir; for rpk, two columns. */
export function equivalentsHelp(tool: OtherTool, columns?: number): string {
  const { rows } = equivalents[tool];
  if (tool === 'rpk') {
    const cells = rows.map(([theirs = '', ours = '']) => [plain(theirs), plain(ours)] as const);
    return blocks([prose(aboutRpk, columns), columnsOf([['rpk', 'weir'], ...cells], columns ?? pipedWidth, rpkColumn)]);
  }
  const lines = rows.map((cells) => {
    const [theirs, ours] = [cells.slice(0, -1), cells.at(-1) ?? ''];
    const [, line = ours, note] = /^(`[^`]+`): (.*)$/.exec(ours) ?? [];
    return `  # ${plain(theirs.join(': '))}\n  ${plain(line)}${note === undefined ? '' : `  # ${plain(note)}`}`;
  });
  return blocks([prose(aboutOthers, columns), lines.join('\n')]);
}

/** Where the second column of `weir help rpk` begins. */
const rpkColumn = 39;

const aboutRpk =
  'weir has the commands, flags and text columns of rpk: put weir where rpk was. "weir rpk LINE" says what to type ' +
  'instead of a line of rpk, or why weir has no such command. These have other names:';

const aboutOthers =
  'The lines leave out how each program finds the cluster. weir takes the address from a profile, WEIR_BROKERS or -X ' +
  'brokers=HOST:PORT.';

/** Without the marks of code. */
function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}
