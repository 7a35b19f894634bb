import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';
import { optionKeys } from '../../src/config/options.ts';

const verbs = ['list', 'create', 'delete', 'describe', 'use', 'get', 'set', 'info', 'stop', 'print', 'status'];
const flags = ['--num', '--group', '--partitions', '--yes', '--format', '--topic-config'];

test.each([
  ['pas', optionKeys, 'pass'],
  ['brokres', optionKeys, 'brokers'],
  ['sasl.user', optionKeys, 'user'],
  ['globals.dail_timeout', optionKeys, 'globals.dial_timeout'],
  ['tls.enable', optionKeys, 'tls.enabled'],
  ['lsit', verbs, 'list'],
  ['crate', verbs, 'create'],
  ['Stp', verbs, 'stop'],
  ['stauts', verbs, 'status'],
  ['--nmu', flags, '--num'],
  ['--partition', flags, '--partitions'],
  ['--partiton-s', flags, '--partitions'],
  ['prd', ['Prod', 'test'], 'Prod'],
])('%s is close to one of the candidates', async (text, candidates, meant) => {
  expect(await nearest(text, candidates)).toBe(meant);
});

test.each([
  ['x', verbs],
  ['gu', verbs],
  ['ge', ['go', 'ls']],
  ['foo', verbs],
  ['port', verbs],
  ['paint', ['point-in', 'pants-on']],
  ['host', optionKeys],
  ['port', optionKeys],
  ['ssl', optionKeys],
  ['--key', flags],
  ['--from', flags],
  ['--node', flags],
  ['dev', ['prod', 'test']],
  ['', verbs],
  ['a'.repeat(201), ['a'.repeat(201)]],
  ['list', []],
])('%s is close to none of the candidates', async (text, candidates) => {
  expect(await nearest(text, candidates)).toBeUndefined();
});
