import { afterAll, beforeAll, expect, test } from 'vitest';
import { login, must } from '../../commands/security/people.ts';
import { services } from '../../services/services.ts';
import { kafkaAcls, kafkaConfigs } from './console-tools.ts';

const name = `tools-${process.pid}`;

beforeAll(() => {
  expect(services().directory).not.toBe('');
});

afterAll(async () => {
  await must(`security acl delete --deny-principal ${name} --yes`);
  await must(`security user delete ${name} --yes`);
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

test("weir replaces the password of a user that Kafka's tool has created", async () => {
  const words = ['--alter', '--add-config', 'SCRAM-SHA-512=[iterations=5000,password=first]'];
  await kafkaConfigs(...words, '--entity-type', 'users', '--entity-name', name);
  const loginWith = (password: string) => login(name, password, 'SCRAM-SHA-512');
  expect(await loginWith('first')).toBe(0);
  await must(`security user update ${name} --iterations 6000 --password-stdin`, { stdin: 'second' });
  expect([await loginWith('first'), await loginWith('second')]).toEqual([4, 0]);
  expect(await kafkaConfigs('--describe', '--entity-type', 'users', '--entity-name', name)).toBe(
    `SCRAM credential configs for user-principal '${name}' are SCRAM-SHA-512=iterations=6000\n`,
  );
});
