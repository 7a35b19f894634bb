/** A command line that must fail, with its complete error. Words in braces are replaced by values of the test run. */
export interface BadInput {
  readonly line: string;
  readonly exitCode: number;
  readonly code: string;
  /** One line per error; a line starting with a space continues the one above. */
  readonly message: readonly string[];
  readonly hints: readonly string[];
}

type Row = readonly [line: string, exitCode: number, code: string, message: string, hints?: string];

function rows(table: readonly Row[]): readonly BadInput[] {
  return table.map(([line, exitCode, code, message, hints]) => {
    return { line, exitCode, code, message: message.split('\n'), hints: hints === undefined ? [] : hints.split('\n') };
  });
}

const keys = 'write it like this: -X tls.enabled=true\nsee all keys with: weir -X list';
const allKeys = 'see all options with: weir -X list';
const addresses = 'write it like this: brokers=b1.example:9092,b2.example:9092';
const registry = 'write it like this: registry.hosts=https://registry.example/v1';
const seconds = 'write it like this: globals.dial_timeout=5s';
const units = '(use ns, us, ms, s, m or h)';
const booleans = 'not a boolean (use true or false)';
const name = 'use 1 to 249 of the characters a-z A-Z 0-9 . _ - for a topic name, but not "." or ".."';

/** Errors in the command line itself, which are found before any connection is made. */
export const badWords = rows([
  ['frob', 2, 'UNKNOWN_COMMAND', 'unknown command "frob" for "weir"', 'see weir --help'],
  ['topci list', 2, 'UNKNOWN_COMMAND', 'unknown command "topci" for "weir"', 'did you mean "topic"? see weir --help'],
  [
    'topic crate x',
    2,
    'UNKNOWN_COMMAND',
    'unknown command "crate" for "weir topic"',
    'did you mean "create"? see weir topic --help',
  ],
  ['topic list --frob', 2, 'UNKNOWN_FLAG', 'unknown flag --frob for "weir topic list"', 'see weir topic list --help'],
  [
    'topic create x --partitons 3',
    2,
    'UNKNOWN_FLAG',
    'unknown flag --partitons for "weir topic create"',
    'did you mean --partitions? see weir topic create --help',
  ],
  ['topic list -Z', 2, 'UNKNOWN_FLAG', 'unknown flag -Z for "weir topic list"', 'see weir topic list --help'],
  ['topic create', 2, 'MISSING_ARGUMENT', 'missing argument TOPIC', 'usage: weir topic create TOPIC... [FLAGS]'],
  ['topic consume', 2, 'MISSING_ARGUMENT', 'missing argument TOPIC', 'usage: weir topic consume TOPIC... [FLAGS]'],
  ['config explain', 2, 'MISSING_ARGUMENT', 'missing argument KEY', 'usage: weir config explain KEY [FLAGS]'],
  ['version extra', 2, 'USAGE', 'unexpected argument "extra"', 'see weir version --help'],
  [
    'topic create x -p=',
    2,
    'INVALID_VALUE',
    'invalid value "" of --partitions: not a whole number',
    'for example --partitions 10',
  ],
  [
    'topic create x -p 3.5',
    2,
    'INVALID_VALUE',
    'invalid value "3.5" of --partitions: not a whole number',
    'for example --partitions 10',
  ],
  [
    'topic create x -p 99999999999',
    2,
    'INVALID_VALUE',
    'invalid value "99999999999" of --partitions: more than 100000',
  ],
  [
    'topic create x -c frob',
    2,
    'INVALID_VALUE',
    'invalid value "frob" of --topic-config: not of the form key=value',
    'write --topic-config KEY=VALUE',
  ],
  [
    'topic produce x -z zip',
    2,
    'INVALID_VALUE',
    'invalid value "zip" of --compression: not one of none, gzip, snappy, lz4, zstd',
  ],
  ['topic produce x --acks 2', 2, 'INVALID_VALUE', 'invalid value "2" of --acks: not one of all, -1, 0, 1'],
  [
    'cluster quotas alter --name foo=orders --add x=1',
    2,
    'INVALID_VALUE',
    'invalid value "foo=orders" of --name: the type is not one of client-id, client-id-prefix, user, ip',
  ],
  [
    'cluster quotas alter --name user=ana --add producer_byte_rate=x',
    2,
    'INVALID_VALUE',
    'invalid value "producer_byte_rate=x" of --add: the value is not a size (for example 200000, 132MB or 100MiB)',
  ],
  ['topic list --color blue', 2, 'INVALID_VALUE', 'invalid value "blue" of --color: not one of auto, always, never'],
  ['topic list --quiet=perhaps', 2, 'INVALID_VALUE', `invalid value "perhaps" of --quiet: ${booleans}`],
  ['topic list --tls-enabled=maybe', 2, 'INVALID_VALUE', `invalid value "maybe" of --tls-enabled: ${booleans}`],
  ['sandbox start --brokers 2', 2, 'INVALID_VALUE', 'invalid value "2" of --brokers: not one of 1, 3, 5'],
  ['sandbox start --port 99999', 2, 'INVALID_VALUE', 'invalid value "99999" of --port: more than 65535'],
  [
    'sandbox start --name "a b"',
    2,
    'INVALID_VALUE',
    'invalid sandbox name "a b"',
    'use at most 30 lowercase letters, digits and dashes, starting with a letter',
  ],
  ['topic create a/b', 2, 'INVALID_VALUE', `invalid TOPIC "a/b": it contains "/" (${name})`],
  ['topic create ..', 2, 'INVALID_VALUE', `invalid TOPIC "..": it is ".." (${name})`],
  ['topic create ""', 2, 'INVALID_VALUE', `invalid TOPIC "": it is empty (${name})`],
  [
    'topic create {250 letters}',
    2,
    'INVALID_VALUE',
    `invalid TOPIC "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…": it has 250 characters (${name})`,
  ],
  ['topic list "a b"', 2, 'INVALID_VALUE', 'invalid topic name "a b": it contains " "', name],
  [
    'topic list -r "("',
    2,
    'INVALID_VALUE',
    'invalid regular expression "(": unterminated group',
    'put "\\" before a character that stands for itself, as in "a\\.b"',
  ],
  [
    'topic consume -r "["',
    2,
    'INVALID_VALUE',
    'invalid regular expression "[": unterminated character class',
    'put "\\" before a character that stands for itself, as in "a\\.b"',
  ],
  [
    'topic search x',
    2,
    'USAGE',
    'there is nothing to search for',
    'add --where, --key, --header or --contains\nto print all records, use: weir topic consume',
  ],
  [
    `topic search x --where 'value.a = 1'`,
    2,
    'INVALID_EXPRESSION',
    'invalid --where: unexpected "="\n  value.a = 1\n          ^',
    'use ==',
  ],
  [
    `topic consume x --where 'partition'`,
    2,
    'INVALID_EXPRESSION',
    'invalid --where: a condition is true or false, but partition is a number\n  partition\n  ^',
    'compare it with something, for example: value.amount > 100',
  ],
  [
    'topic search x --header =shop',
    2,
    'USAGE',
    '--header =shop has no name: use NAME=VALUE or NAME',
    'see weir topic search --help',
  ],
  [
    `topic search x --contains ''`,
    2,
    'USAGE',
    '--contains is empty: every record contains that',
    'see weir topic search --help',
  ],
  [
    'topic consume x -g g -p 1',
    2,
    'USAGE',
    '--group and --partitions are mutually exclusive: the group assigns the partitions',
    'see weir topic consume --help',
  ],
  [
    'topic consume x -g g --group-protocol classic -b uniform',
    2,
    'USAGE',
    '--balancer uniform is an assignor of the consumer protocol',
    'use: --group-protocol consumer',
  ],
  [
    'topic consume x -g g --group-protocol consumer -b sticky',
    2,
    'USAGE',
    '--balancer sticky is an assignor of the classic protocol: the consumer protocol has uniform and range',
    'see weir topic consume --help',
  ],
  [
    'topic consume x --group-protocol classic',
    2,
    'USAGE',
    '--group-protocol needs --group',
    'see weir topic consume --help',
  ],
  [
    'topic consume -r x -p 1',
    2,
    'USAGE',
    '--regex and --partitions are mutually exclusive',
    'see weir topic consume --help',
  ],
  [
    'profile create',
    2,
    'MISSING_ARGUMENT',
    'missing argument NAME',
    'usage: weir profile create [NAME] [KEY=VALUE...] [FLAGS]',
  ],
  [
    'profile create a --from b --from-rpk=c',
    2,
    'USAGE',
    '--from and --from-rpk are mutually exclusive',
    'see weir profile create --help',
  ],
  ['cloud resume --forget', 2, 'USAGE', '--forget needs an ID', 'see weir cloud resume --help'],
  [
    'topic produce x -f %Q',
    2,
    'INVALID_FORMAT',
    'invalid input layout: unknown verb "%Q" (write %% for a percent sign)\n  %Q\n  ^',
  ],
  [
    'topic produce x -f "%k %v{big99}"',
    2,
    'INVALID_FORMAT',
    'invalid input layout: unknown text format "big99" (use hex, base64, json or re[…])\n  %k %v{big99}\n        ^',
  ],
  [
    'topic consume x --where value.customer == ana',
    2,
    'INVALID_VALUE',
    'invalid topic name "=…": it contains "="',
    "put the whole condition in quotes: --where 'value.total > 9'",
  ],
  [
    'topic consume x -o nowhere',
    2,
    'INVALID_OFFSET',
    'invalid offset "nowhere": "nowhere" is not an offset',
    'for example -o -10:end (the last 10), -o @-24h (the last day), -o :end (everything now); all forms: weir help offsets',
  ],
]);

/** Errors in options and files, which are found before any connection is made. */
export const badConfiguration = rows([
  ['-X nosuch', 2, 'CONFIG_INVALID', '-X takes key=value: there is no "="', keys],
  ['topic -X nosuch=1', 2, 'CONFIG_INVALID', 'unknown option "nosuch" in -X', allKeys],
  ['topic list -X brokers', 2, 'CONFIG_INVALID', '-X takes key=value: there is no "="', keys],
  ['topic list -X ={canary}', 2, 'CONFIG_INVALID', '-X takes key=value: the key before "=" is empty', keys],
  ['topic list -X broker={canary}', 2, 'CONFIG_INVALID', 'unknown option "broker" in -X', 'did you mean brokers?'],
  ['topic list -X frobnicate={canary}', 2, 'CONFIG_INVALID', 'unknown option "frobnicate" in -X', allKeys],
  ['config show frob', 2, 'CONFIG_INVALID', 'unknown option "frob" in the arguments', allKeys],
  [
    'topic list -X globals.dial_timeout=5',
    2,
    'CONFIG_INVALID',
    `invalid duration "5" in -X globals.dial_timeout: missing unit after "5" ${units}`,
    seconds,
  ],
  [
    'topic list -X globals.dial_timeout=5x',
    2,
    'CONFIG_INVALID',
    `invalid duration "5x" in -X globals.dial_timeout: unknown unit "x" ${units}`,
    seconds,
  ],
  [
    'topic list -X globals.dial_timeout=-1s',
    2,
    'CONFIG_INVALID',
    'invalid duration "-1s" in -X globals.dial_timeout: a duration cannot be negative',
    seconds,
  ],
  [
    'topic list -X tls.enabled=yes',
    2,
    'CONFIG_INVALID',
    `invalid boolean "yes" in -X tls.enabled: ${booleans}`,
    'write it like this: tls.enabled=true',
  ],
  [
    'topic list -X sasl.mechanism=GSSAPI',
    2,
    'CONFIG_INVALID',
    'invalid SASL mechanism "GSSAPI" in -X sasl.mechanism: not one of SCRAM-SHA-256, SCRAM-SHA-512, PLAIN, OAUTHBEARER, AWS_MSK_IAM',
    'write it like this: sasl.mechanism=SCRAM-SHA-256',
  ],
  [
    'topic list -X brokers=a,,b',
    2,
    'CONFIG_INVALID',
    'invalid address "" in -X brokers: an address is empty',
    addresses,
  ],
  [
    'topic list -X brokers=::1',
    2,
    'CONFIG_INVALID',
    'invalid address "::1" in -X brokers: an IPv6 address must be in brackets, for example [::1]:9092',
    addresses,
  ],
  [
    'topic list -X brokers=b:0',
    2,
    'CONFIG_INVALID',
    'invalid port "0" in -X brokers: a port must be a number from 1 to 65535',
    addresses,
  ],
  [
    'topic list -X brokers=https://b:9092',
    2,
    'CONFIG_INVALID',
    'invalid address "https://b:9092" in -X brokers: a broker address cannot have a scheme (write host:port)',
    addresses,
  ],
  [
    'topic list -X brokers=b/path',
    2,
    'CONFIG_INVALID',
    'invalid address "b/path" in -X brokers: a broker address cannot have a path',
    addresses,
  ],
  [
    'topic list -X globals.proxy=proxy.example:1080',
    2,
    'CONFIG_INVALID',
    'invalid proxy in -X globals.proxy: it must begin with socks5h://, socks5://, http:// or https://',
    'write it like this: globals.proxy=socks5h://proxy.example:1080',
  ],
  [
    'topic list -X tls.server_name=*.example -X admin.tls.server_name=b:9092',
    2,
    'CONFIG_INVALID',
    'invalid server name "*.example" in -X tls.server_name: a wildcard belongs in a certificate: write one of the names that it stands for\ninvalid server name "b:9092" in -X admin.tls.server_name: it has no port',
    'write it like this: tls.server_name=kafka.internal.example\nwrite it like this: admin.tls.server_name=kafka.internal.example',
  ],
  [
    'topic list -X registry.hosts=http://u:{canary}@r:8081',
    2,
    'CONFIG_INVALID',
    'invalid addresses in -X registry.hosts: credentials are not allowed in an address (use the options user and pass)',
    registry,
  ],
  [
    'topic list -X tls.enabled=yes -X globals.dial_timeout=5',
    2,
    'CONFIG_INVALID',
    `invalid boolean "yes" in -X tls.enabled: ${booleans}\ninvalid duration "5" in -X globals.dial_timeout: missing unit after "5" ${units}`,
    `write it like this: tls.enabled=true\n${seconds}`,
  ],
  [
    'topic list -X globals.no_default_cluster=true',
    2,
    'CONFIG_INVALID',
    'no brokers set, and globals.no_default_cluster (-X globals.no_default_cluster) disables the default',
    'set them with -X brokers=HOST:PORT or WEIR_BROKERS\nor store them in a profile: weir profile create NAME --set brokers=HOST:PORT',
  ],
  [
    'topic list -X user=alice -X pass=',
    2,
    'CONFIG_INVALID',
    'user is set, but pass is not',
    'set WEIR_PASS, or store it in the profile with: weir profile set pass',
  ],
  [
    'topic list -X sasl.mechanism=PLAIN',
    2,
    'CONFIG_INVALID',
    'sasl.mechanism is PLAIN, but user is not set',
    'set it with -X user=TEXT, WEIR_USER, or in the profile',
  ],
  [
    'topic list -X tls.cert=c.pem',
    2,
    'TLS_CONFIG',
    'tls.cert is set without tls.key',
    'set both for a client certificate: -X tls.key=FILE',
  ],
  [
    'topic list -X tls.key=k.pem',
    2,
    'TLS_CONFIG',
    'tls.key is set without tls.cert',
    'set both for a client certificate: -X tls.cert=FILE',
  ],
  [
    'topic list -X tls.ca={home}/nope.pem',
    2,
    'TLS_CONFIG',
    'unable to read {home}/nope.pem (tls.ca): no such file',
    'see where it is set with: weir config explain tls.ca',
  ],
  [
    'topic list -X tls.ca={not pem}',
    2,
    'TLS_CONFIG',
    'invalid tls.ca: there is no PEM certificate in "{not pem}"',
    'use a file that contains -----BEGIN CERTIFICATE-----',
  ],
  [
    'topic list --config {home}/nope.yaml',
    2,
    'CONFIG_INVALID',
    'unable to read {home}/nope.yaml (--config): no such file',
  ],
  [
    'topic list --broker-config {home}/nope.yaml',
    2,
    'CONFIG_INVALID',
    'unable to read {home}/nope.yaml (--broker-config): no such file',
  ],
  [
    'topic list --config {broken file}',
    2,
    'CONFIG_INVALID',
    'unable to read {broken file}:5: a bracket before it is not closed',
  ],
  [
    'topic list --config {wrong file}',
    2,
    'CONFIG_INVALID',
    `unknown option "broker" in {wrong file}:6 (profile a)\ninvalid duration "5" for globals.dial_timeout in {wrong file}:7 (profile a): missing unit after "5" ${units}`,
    `did you mean brokers?\n${seconds}`,
  ],
  [
    'topic list --config {newer file}',
    2,
    'CONFIG_INVALID',
    '{newer file}:1: unsupported file version 2 (this weir supports version 1)',
    'use a newer weir, or specify another file with --config\nimport an rpk.yaml with: weir profile create --from-rpk=FILE',
  ],
  [
    'topic list --profile nope',
    2,
    'NO_PROFILE',
    '--profile nope: no such profile (you have none yet)',
    'create it with: weir profile create nope',
  ],
  [
    'profile use nope',
    3,
    'NO_PROFILE',
    'nope: no such profile (you have none yet)',
    'create it with: weir profile create nope',
  ],
  [
    'topic list -X pass.file={home}/nope -X user=u',
    2,
    'NO_SUCH_FILE',
    'unable to read {home}/nope (pass.file): no such file',
    'see where it is set with: weir config explain pass',
  ],
  [
    'profile set brokers=x',
    3,
    'NO_PROFILE',
    'no profile is selected',
    'name one with --profile NAME, or select one with: weir profile use NAME',
  ],
  [
    'profile create a --set broker={canary}',
    2,
    'CONFIG_INVALID',
    'unknown option "broker" in --set',
    'did you mean brokers?',
  ],
  [
    'profile create --from-rpk old/rpk.yaml',
    2,
    'INVALID_VALUE',
    'invalid profile name "old/rpk.yaml": it looks like a file',
    'pass a file to import after "=": --from-rpk=old/rpk.yaml',
  ],
  [
    'profile prompt --validate -X globals.prompt=%q',
    2,
    'CONFIG_INVALID',
    'invalid prompt format at character 1: unknown modifier "%q"\n  %q\n  ^',
    'write it like this: bg-red "%n"',
  ],
  [
    'sandbox stop --name nope',
    3,
    'SANDBOX_NOT_FOUND',
    'sandbox "nope" does not exist',
    'start one with: weir sandbox start',
  ],
]);

const refused = 'check the address (-X brokers=HOST:PORT) and that a broker is running there';
const ca = 'specify the CA that signed it: -X tls.ca=FILE';
const client = 'specify a client certificate that the broker trusts: -X tls.cert=FILE -X tls.key=FILE';
const untrusted = 'TLS: the certificate of the broker is signed by a CA that is not trusted';
const credentials = 'check user, pass and sasl.mechanism';
const missing = 'UNKNOWN_TOPIC_OR_PARTITION (3): the broker has no such topic or partition';
const missingHints = 'see the topics with: weir topic list';
const alice = '-X user=alice -X pass={canary}';

/** Errors of connections and brokers. */
export const badConnections = rows([
  [
    'topic list -X brokers=127.0.0.1:1',
    5,
    'CONNECTION_REFUSED',
    'unable to connect to broker 127.0.0.1:1: TCP: connection refused',
    refused,
  ],
  [
    'topic list -X brokers=127.0.0.1:1,127.0.0.1:2',
    5,
    'CONNECTION_REFUSED',
    'unable to connect to any of 2 brokers: broker 127.0.0.1:1: TCP: connection refused; broker 127.0.0.1:2: TCP: connection refused',
    refused,
  ],
  [
    'topic list -X brokers=nosuch.invalid:9092',
    5,
    'DNS_FAILED',
    'unable to connect to broker nosuch.invalid:9092: DNS: unknown host "nosuch.invalid"',
    'check the host name (-X brokers=HOST:PORT)',
  ],
  [
    'topic list -X brokers={tls}',
    5,
    'NOT_A_BROKER',
    'broker {tls} does not speak the Kafka protocol: it answered with TLS',
    'enable TLS: -X tls.enabled=true',
  ],
  [
    'topic list -X brokers={plaintext} -X tls.enabled=true',
    5,
    'TLS_FAILED',
    'unable to connect to broker {plaintext}: TLS: the broker does not speak TLS on this port',
    'turn TLS off if the port does not use it: -X tls.enabled=false',
  ],
  [
    'topic list -X brokers={tls} -X tls.enabled=true',
    5,
    'TLS_FAILED',
    `unable to connect to broker {tls}: ${untrusted}`,
    ca,
  ],
  [
    'topic list -X brokers={tls} -X tls.ca={wrong ca}',
    5,
    'TLS_FAILED',
    `unable to connect to broker {tls}: ${untrusted}`,
    ca,
  ],
  [
    'topic list -X brokers={tlsExpired} -X tls.ca={ca}',
    5,
    'TLS_FAILED',
    'unable to connect to broker {tlsExpired}: TLS: the certificate of the broker has expired',
    'renew it on the broker, or check the clock of this machine',
  ],
  [
    'topic list -X brokers={tlsOtherHost} -X tls.ca={ca}',
    5,
    'TLS_FAILED',
    'unable to connect to broker {tlsOtherHost}: TLS: the certificate of the broker is valid for other.example, not for 127.0.0.1',
    'use an address whose host is in the certificate\nif the broker is meant to be reached under another name, as through a tunnel, set its own: -X tls.server_name=NAME',
  ],
  [
    'topic list -X brokers={mtls} -X tls.ca={ca}',
    5,
    'TLS_FAILED',
    'unable to connect to broker {mtls}: TLS: the broker needs a client certificate',
    client,
  ],
  [
    'topic list -X brokers={mtls} -X tls.ca={ca} -X tls.cert={wrong cert} -X tls.key={wrong key}',
    5,
    'TLS_FAILED',
    'unable to connect to broker {mtls}: TLS: the broker rejected the client certificate',
    client,
  ],
  [
    'topic list -X brokers={mtls} -X tls.ca={ca} -X tls.cert={cert} -X tls.key={wrong key}',
    2,
    'TLS_CONFIG',
    'unable to use tls.ca, tls.cert, tls.key: tls.key does not match tls.cert',
  ],
  [
    'topic list -X brokers={sasl} -X user=bob',
    4,
    'SASL_AUTHENTICATION_FAILED',
    'unable to authenticate to broker {sasl}: SASL SCRAM-SHA-256 as user "bob": SASL_AUTHENTICATION_FAILED (58): Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-256',
    `${credentials}\ncheck that they belong together: user is from -X user, pass is from WEIR_PASS`,
  ],
  [
    `topic list -X brokers={sasl} ${alice}`,
    4,
    'SASL_AUTHENTICATION_FAILED',
    'unable to authenticate to broker {sasl}: SASL SCRAM-SHA-256 as user "alice": SASL_AUTHENTICATION_FAILED (58): Authentication failed during authentication due to invalid credentials with SASL mechanism SCRAM-SHA-256',
    `${credentials}\ncheck both: user is from -X user, pass is from -X pass`,
  ],
  [
    `topic list -X brokers={sasl} ${alice} -X sasl.mechanism=PLAIN`,
    4,
    'SASL_AUTHENTICATION_FAILED',
    'unable to authenticate to broker {sasl}: SASL PLAIN as user "alice": SASL_AUTHENTICATION_FAILED (58): Authentication failed: Invalid username or password',
    `${credentials}\ncheck both: user is from -X user, pass is from -X pass`,
  ],
  [
    `topic list -X brokers={saslPlainOnly} ${alice}`,
    4,
    'UNSUPPORTED_SASL_MECHANISM',
    'broker {saslPlainOnly} does not offer the SASL mechanism SCRAM-SHA-256',
    'use a mechanism that the broker offers (PLAIN): -X sasl.mechanism=PLAIN',
  ],
  [
    'topic list -X brokers={sasl}',
    5,
    'CONNECTION_LOST',
    'lost broker {sasl} during Metadata: it closed the connection',
    'if the listener requires SASL, set user, pass and sasl.mechanism: weir profile set user=NAME pass, or WEIR_USER and WEIR_PASS',
  ],
  [
    'topic list -X sasl.mechanism=oauth',
    2,
    'CONFIG_INVALID',
    'invalid SASL mechanism "oauth" in -X sasl.mechanism: not one of SCRAM-SHA-256, SCRAM-SHA-512, PLAIN, OAUTHBEARER, AWS_MSK_IAM',
    'write it like this: sasl.mechanism=OAUTHBEARER',
  ],
  [
    'topic list -X brokers={sasl} -X oauth.issuer=https://login.example.com',
    5,
    'CONNECTION_LOST',
    'lost broker {sasl} during Metadata: it closed the connection',
    'if the listener requires SASL, set -X sasl.mechanism=OAUTHBEARER to use oauth.issuer (from -X oauth.issuer)',
  ],
  [
    `topic list -X brokers={plaintext} ${alice}`,
    4,
    'ILLEGAL_SASL_STATE',
    'unable to authenticate to broker {plaintext}: SASL: ILLEGAL_SASL_STATE (34): this listener does not use SASL',
    'to connect without SASL, leave out -X user\nor use the port of a listener that uses SASL',
  ],
  [
    'topic consume {topic} -n 1 -X brokers={badlyAdvertised}',
    5,
    'CONNECTION_REFUSED',
    'unable to connect to broker 1 ({badlyAdvertisedAs}): TCP: connection refused (broker 1 advertises the listener {badlyAdvertisedAs}, according to seed broker {badlyAdvertised})',
    'set advertised.listeners of broker 1 to an address that this machine can reach',
  ],
  [
    'topic consume nope -X brokers={plaintext}',
    3,
    'UNKNOWN_TOPIC_OR_PARTITION',
    `unable to use topic "nope": ${missing}`,
    missingHints,
  ],
  [
    'topic produce nope -X brokers={plaintext}',
    3,
    'UNKNOWN_TOPIC_OR_PARTITION',
    `unable to use topic "nope": ${missing}`,
    `${missingHints}\ncreate it with: weir topic create nope`,
  ],
  [
    'topic consume {topic} -p 99 -X brokers={plaintext}',
    3,
    'UNKNOWN_TOPIC_OR_PARTITION',
    'topic "{topic}" has no partition 99, it has 1 (0 to 0)',
    'list its partitions with: weir topic describe {topic} -p',
  ],
]);

/** Errors that are part of a row of the output: the command line, its exit code, and the code, number and message. */
export const badTopics: readonly (readonly [string, number, string, number, string])[] = [
  ['topic list nope', 3, 'UNKNOWN_TOPIC_OR_PARTITION', 3, 'the broker has no such topic or partition'],
  ['topic describe nope', 3, 'UNKNOWN_TOPIC_OR_PARTITION', 3, 'the broker has no such topic or partition'],
  ['topic delete nope', 3, 'UNKNOWN_TOPIC_OR_PARTITION', 3, 'the broker has no such topic or partition'],
  ['topic create {topic}', 6, 'TOPIC_ALREADY_EXISTS', 36, "Topic '{topic}' already exists."],
  ['topic create new -c frob=1', 1, 'INVALID_CONFIG', 40, 'Unknown topic config name: frob'],
  [
    'topic create new -r 9',
    1,
    'INVALID_REPLICATION_FACTOR',
    38,
    'Unable to replicate the partition 9 time(s): The target replication factor of 9 cannot be reached because only 1 broker(s) are registered.',
  ],
];
