import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { showValue } from '../../../src/config/options.ts';
import { readBrokerFile } from '../../../src/config/sources/broker-file.ts';
import { emptyDirectory, writeWhole } from './sources.ts';

async function read(text: string) {
  const path = join(emptyDirectory(), 'redpanda.yaml');
  writeWhole(path, text);
  const reading = await readBrokerFile(path);
  const entries = [...(reading?.entries ?? [])];
  return {
    options: Object.fromEntries(entries.map(([key, { value }]) => [key, showValue(key, value)])),
    origins: entries.map(([, { origin }]) => origin.replace(path, 'FILE')),
    errors: reading?.errors.map(({ message }) => message.replace(path, 'FILE')),
  };
}

describe('the section weir', () => {
  test('has option keys, dotted or nested, and hides a section rpk', async () => {
    const { options, origins, errors } = await read(
      'redpanda:\n  anything: [1, 2]\nweir:\n  brokers: [a]\n  tls:\n    ca: /ca\n  admin.hosts: b\nrpk:\n  kafka_api: {brokers: [no]}\n',
    );
    expect(errors).toEqual([]);
    expect(options).toEqual({ brokers: 'a:9092', 'tls.ca': '/ca', 'admin.hosts': 'b:9644' });
    expect(origins).toEqual(['FILE:4 (section weir)', 'FILE:6 (section weir)', 'FILE:7 (section weir)']);
  });

  test('rejects unknown options', async () => {
    expect((await read('weir:\n  kafka_api: {}\n')).errors).toEqual([
      'unknown option "kafka_api" in FILE:2 (section weir)',
    ]);
    expect((await read('weir: [a]\n')).errors).toEqual(['FILE:1: the section weir is not a map']);
  });
});

describe('the section rpk', () => {
  test("is read in that tool's layout", async () => {
    const { options, errors } = await read(`rpk:
  kafka_api:
    brokers: [a:1, b:2]
    tls: {ca_file: /ca, cert_file: /cert, key_file: /key, insecure_skip_verify: true}
    sasl: {user: u, password: "007", mechanism: scram-sha-512}
  admin_api:
    addresses: [c]
    tls: {}
  schema_registry:
    addresses: ["https://d"]
    tls: {enabled: false, truststore_file: /old}
  tune_network: true
`);
    expect(errors).toEqual([]);
    expect(options).toEqual({
      brokers: 'a:1,b:2',
      'tls.enabled': 'true',
      'tls.ca': '/ca',
      'tls.cert': '/cert',
      'tls.key': '/key',
      'tls.insecure_skip_verify': 'true',
      user: 'u',
      pass: '007',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'admin.hosts': 'c:9644',
      'admin.tls.enabled': 'true',
      'registry.hosts': 'https://d:443',
      'registry.tls.enabled': 'false',
      'registry.tls.ca': '/old',
    });
  });

  test('in its early form has one tls for all and one sasl', async () => {
    const { options } = await read(
      'rpk:\n  tls: {truststore_file: /ca}\n  sasl: {user: u, password: p, type: PLAIN}\n',
    );
    expect(options).toMatchObject({
      'tls.ca': '/ca',
      'admin.tls.ca': '/ca',
      'registry.tls.enabled': 'true',
      user: 'u',
      'sasl.mechanism': 'PLAIN',
    });
  });

  test('reports its errors with file and line', async () => {
    expect((await read('rpk:\n  kafka_api:\n    brokers: ["a:b"]\n')).errors).toEqual([
      'invalid port of "a" for brokers in FILE:3 (section rpk): a port must be a number from 1 to 65535',
    ]);
  });
});

test('a file without either section, an empty file and no file set no options', async () => {
  expect((await read('redpanda: {}\n')).options).toEqual({});
  const empty = await read('');
  expect(empty.options).toEqual({});
  expect(await readBrokerFile('/nonexistent/redpanda.yaml')).toBeUndefined();
});

test('programs are listed, and not taken; everything else is', async () => {
  const path = join(emptyDirectory(), 'redpanda.yaml');
  writeWhole(path, 'weir:\n  pass.command: rm x\n  user: u\n  admin:\n    token: {file: /t}\n');
  const reading = await readBrokerFile(path);
  expect([...(reading?.entries.keys() ?? [])]).toEqual(['user', 'admin.token.file']);
  expect(reading?.warnings).toEqual([
    `ignored pass.command (${path}:2 (section weir)): programs of a broker configuration file are not started`,
  ]);
});
