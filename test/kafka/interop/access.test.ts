import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, must } from '../../commands/security/people.ts';
import { services } from '../../services/services.ts';
import { temporaryDirectory } from '../../world.ts';
import { kafkaAcls, kafkaConfigs, kafkaTopics } from './console-tools.ts';

const name = `tools-${process.pid}`;

beforeAll(() => {
  expect(services().directory).not.toBe('');
});

afterAll(async () => {
  await must(`security acl delete --deny-principal ${name} --yes`);
  await must(`security user delete '${user}' --yes`);
});

test("Kafka's tool lists the ACLs that weir has created", async () => {
  const who = `--deny-principal ${name} --deny-host 10.0.0.3 --operation create_tokens,describe_configs`;
  await must(`security acl create ${who} --topic ${name}- --user-principal bob --resource-pattern-type prefixed`);
  const shown = await kafkaAcls('--list', '--principal', `User:${name}`);
  const patterns = [...shown.matchAll(/ResourcePattern\((.*)\)`/g)].map(([, pattern]) => pattern);
  expect(patterns.sort()).toEqual([
    `resourceType=TOPIC, name=${name}-, patternType=PREFIXED`,
    'resourceType=USER, name=User:bob, patternType=PREFIXED',
  ]);
  const acls = [...shown.matchAll(/^\t\((.*)\)$/gm)].map(([, acl]) => acl);
  expect(new Set(acls)).toEqual(
    new Set(
      ['CREATE_TOKENS', 'DESCRIBE_CONFIGS'].map(
        (operation) => `principal=User:${name}, host=10.0.0.3, operation=${operation}, permissionType=DENY`,
      ),
    ),
  );
});

/** SCRAM escapes `,` and `=` in a name, so `=2C` in it must not become a comma. */
const user = `a,b=c =2C ${process.pid}`;
/** A password that SASLprep would change: brokers and clients take its UTF-8 as it is. */
const password = 'p\u00e4 \u00df=,w\u00aa\u2168\u00ad';

/** Text for a file that Java reads as properties. */
function inProperties(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function fileWith(...lines: readonly string[]): string {
  const file = join(temporaryDirectory(), 'java.properties');
  writeFileSync(file, lines.map((line) => `${inProperties(line)}\n`).join(''));
  return file;
}

test("weir replaces the password of a user that Kafka's tool has created", async () => {
  const words = ['--alter', '--add-config-file', fileWith(`SCRAM-SHA-512=iterations=5000,password=${password}`)];
  await kafkaConfigs(...words, '--entity-type', 'users', '--entity-name', user);
  const loginWith = (one: string) => login(user, one, 'SCRAM-SHA-512');
  expect([await loginWith(password), await loginWith(password.normalize('NFKC'))]).toEqual([0, 4]);
  await must(`security user update '${user}' --iterations 6000 --password-stdin`, { stdin: `${password}!` });
  expect([await loginWith(password), await loginWith(`${password}!`)]).toEqual([4, 0]);
  expect(await kafkaConfigs('--describe', '--entity-type', 'users', '--entity-name', user)).toBe(
    `SCRAM credential configs for user-principal '${user}' are SCRAM-SHA-512=iterations=6000\n`,
  );
  // Java logs in with what weir has stored. Debian's librdkafka cannot log in to this Kafka with SCRAM at all (CVE-2024-56128).
  const jaas = `org.apache.kafka.common.security.scram.ScramLoginModule required username="${user}" password="${password}!";`;
  const properties = fileWith(
    'security.protocol=SASL_PLAINTEXT',
    'sasl.mechanism=SCRAM-SHA-512',
    `sasl.jaas.config=${jaas}`,
  );
  expect(await kafkaTopics(services().sasl, '--list', '--command-config', properties)).toContain('\n');
});
